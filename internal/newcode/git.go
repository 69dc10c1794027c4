package newcode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Repo is a git repository with a work tree.
type Repo struct {
	Root string
}

// Open finds the work tree that dir is in. Its root is looked for in the file
// system: a git hook runs with GIT_DIR set, and then git takes the folder it is
// started in for the root.
func Open(dir string) (*Repo, error) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return &Repo{Root: d}, nil
		}
		if d == filepath.Dir(d) {
			return nil, fmt.Errorf("%s is not in a git repository", dir)
		}
	}
}

// Commit returns the hash of the commit that ref names.
func (r *Repo) Commit(ctx context.Context, ref string) (string, error) {
	if ref == "" || strings.HasPrefix(ref, "-") {
		return "", fmt.Errorf("%q is not the name of a commit", ref)
	}
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("git knows no commit %s here%s", ref, r.fetchHint(ctx))
	}
	return strings.TrimSpace(string(out)), nil
}

// MergeBase returns the commit where HEAD left ref.
func (r *Repo) MergeBase(ctx context.Context, ref string) (string, error) {
	commit, err := r.Commit(ctx, ref)
	if err != nil {
		return "", err
	}
	out, err := r.git(ctx, "merge-base", commit, "HEAD")
	if err != nil {
		return "", fmt.Errorf("git knows no commit that %s and HEAD have in common%s", ref, r.fetchHint(ctx))
	}
	return strings.TrimSpace(string(out)), nil
}

// fetchHint says how to get the history that a CI job often does not have.
func (r *Repo) fetchHint(ctx context.Context) string {
	if out, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && strings.TrimSpace(string(out)) == "true" {
		return ": the clone is shallow; fetch the history first (git fetch --unshallow, or fetch-depth: 0 of actions/checkout)"
	}
	return "; fetch it first"
}

// Since returns the lines of the work tree that are new since commit. Files
// that git does not know yet are new as a whole.
func (r *Repo) Since(ctx context.Context, commit string) (*Lines, error) {
	out, err := r.git(ctx, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules",
		"--unified=0", "--find-renames", "--src-prefix=a/", "--dst-prefix=b/", commit, "--")
	if err != nil {
		return nil, err
	}
	lines, err := ReadPatch(bytes.NewReader(out), r.Root)
	if err != nil {
		return nil, fmt.Errorf("git diff: %v", err)
	}
	untracked, err := r.untracked(ctx)
	if err != nil {
		return nil, err
	}
	for _, file := range untracked {
		lines.files[file] = []span{whole}
	}
	return lines, nil
}

// Changed lists the files that differ from those of commit, also those that are
// gone, as absolute paths.
func (r *Repo) Changed(ctx context.Context, commit string) ([]string, error) {
	out, err := r.git(ctx, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-relative", "--ignore-submodules", commit, "--")
	if err != nil {
		return nil, err
	}
	untracked, err := r.untracked(ctx)
	return slices.Concat(r.paths(out), untracked), err
}

func (r *Repo) untracked(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	return r.paths(out), err
}

func (r *Repo) paths(out []byte) (files []string) {
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name != "" {
			files = append(files, filepath.Join(r.Root, filepath.FromSlash(name)))
		}
	}
	return files
}

func (r *Repo) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.Root
	cmd.Env = append(cmd.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return out.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("no git command on PATH, which is needed to tell what is new")
	}
	text, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimPrefix(text, "fatal: "))
}
