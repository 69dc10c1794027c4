package bad

import "github.com/alitto/pond/v2"

// Results that are put into a slice, and waited for one after the other.

type sums struct{ work pond.ResultPool[int] }

func newSums() *sums { return &sums{work: pond.NewResultPool[int](8)} }

func waitAll[T any](results []pond.Result[T]) (all []T, err error) {
	for _, r := range results {
		v, err := r.Wait()
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func (s *sums) leaf(string) (int, error) { return 1, nil }

func (s *sums) helperBad(parts []string) (int, error) {
	var results []pond.Result[int]
	for _, p := range parts {
		results = append(results, s.work.SubmitErr(func() (int, error) { return s.leaf(p) }))
	}
	all, err := waitAll(results) // want `task of s\.work .* waits for a task of s\.work: 8 tasks .*pool-wait`
	return len(all), err
}

func (s *sums) root(countries [][]string) error {
	results := make([]pond.Result[int], len(countries))
	for i, c := range countries {
		results[i] = s.work.SubmitErr(func() (int, error) { return s.helperBad(c) })
	}
	_, err := waitAll(results)
	return err
}

func (s *sums) loopBad(parts []string) (n int, err error) {
	results := make([]pond.ResultTask[int], len(parts))
	for i, p := range parts {
		results[i] = s.work.SubmitErr(func() (int, error) { return s.leaf(p) })
	}
	for i := range results {
		v, err := results[i].Wait() // want `waits for a task of s\.work.*pool-wait`
		if err != nil {
			return 0, err
		}
		n += v
	}
	return n, nil
}

func (s *sums) rootOfLoop(parts []string) {
	s.work.SubmitErr(func() (int, error) { return s.loopBad(parts) })
}
