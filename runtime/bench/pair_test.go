package bench

import (
	"strings"
	"testing"
)

// BenchmarkPair runs every pair, ours and theirs one after the other, in the
// form that benchstat reads:
//
//	go test -run '^$' -bench Pair -count 8 | tee new.txt && benchstat -col /by new.txt
func BenchmarkPair(b *testing.B) {
	for _, p := range Pairs() {
		name := p.Name + "/" + strings.ReplaceAll(p.Peer, " ", "_")
		b.Run(name+"/by=ours", p.Ours)
		b.Run(name+"/by=theirs", p.Theirs)
	}
}

func TestPairsAreNamedOnce(t *testing.T) {
	seen := make(map[string]bool)
	for _, p := range Pairs() {
		key := p.Name + " against " + p.Peer
		if seen[key] {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = true
		if !strings.Contains(p.Name, "/") || p.Peer == "" || p.Ours == nil || p.Theirs == nil || p.Goal < 0 {
			t.Errorf("%s is incomplete", key)
		}
	}
	if len(seen) == 0 {
		t.Error("there are none")
	}
}
