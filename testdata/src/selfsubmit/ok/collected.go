package ok

import "github.com/alitto/pond/v2"

type sums struct{ work, leaves pond.ResultPool[int] }

func newSums() *sums {
	return &sums{work: pond.NewResultPool[int](8), leaves: pond.NewResultPool[int](8)}
}

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

// The parts have a pool of their own.
func (s *sums) otherPoolOk(parts []string) (int, error) {
	var results []pond.Result[int]
	for _, p := range parts {
		results = append(results, s.leaves.SubmitErr(func() (int, error) { return s.leaf(p) }))
	}
	all, err := waitAll(results)
	return len(all), err
}

// No task of the pool waits here.
func (s *sums) outsideOk(countries [][]string) error {
	var results []pond.Result[int]
	for _, c := range countries {
		results = append(results, s.work.SubmitErr(func() (int, error) { return s.otherPoolOk(c) }))
	}
	_, err := waitAll(results)
	return err
}

// Nobody waits for what a task hands over, or who waits is no task.
func (s *sums) handsBackOk(parts []string) []pond.Result[int] {
	var results []pond.Result[int]
	for _, p := range parts {
		results = append(results, s.work.SubmitErr(func() (int, error) { return s.leaf(p) }))
	}
	return results
}

func (s *sums) waitsOutsideOk(parts []string) {
	var later []pond.Result[int]
	s.work.SubmitErr(func() (int, error) {
		later = s.handsBackOk(parts)
		return 0, nil
	})
	waitAll(later)
}
