#!/usr/bin/env bash
# Measures what concvet costs beside go vet and beside a tool that does nothing:
#
#	docs/cost/run.sh FOLDER [PATTERN ...]
#
# FOLDER is a checkout of the module to analyse. The build cache is warmed first;
# each tool is one that the cache has never seen. Prints a line a tool: user +
# system seconds and the peak memory of the whole process tree, what the run
# added to the build cache, and the wall time of a second run. Linux only.
set -euo pipefail
self=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(cd "${1:?usage: run.sh FOLDER [PATTERN ...]}" && pwd)
shift
patterns=("${@:-./...}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unseen=$RANDOM$RANDOM$RANDOM
(cd "$self" && go build -ldflags="-buildid=$unseen" -o "$work/nothing" docs/cost/nothing.go)
(cd "$self" && go build -ldflags="-buildid=$unseen" -o "$work/concvet" ./cmd/concvet)
(cd "$self" && go build -o "$work/vet" cmd/vet)
go -C "$folder" build "${patterns[@]}"
cache=$(go env GOCACHE)

tree_rss() { # of a session, in kB
	{ ps -o rss= -s "$1" 2>/dev/null || true; } | awk '{s += $1} END {print s + 0}'
}

measure() {
	local name=$1 peak=0 rss before after
	shift
	before=$(du -sk "$cache" | cut -f1)
	setsid bash -c 'TIMEFORMAT="%U %S"; time go -C "$1" vet "${@:2}" >/dev/null 2>&1' _ "$folder" "$@" "${patterns[@]}" 2>"$work/time" &
	local pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		rss=$(tree_rss "$pid")
		if ((rss > peak)); then peak=$rss; fi
		sleep 0.05
	done
	wait "$pid" || true
	after=$(du -sk "$cache" | cut -f1)
	local start end
	start=$(date +%s.%N)
	go -C "$folder" vet "$@" "${patterns[@]}" >/dev/null 2>&1 || true
	end=$(date +%s.%N)
	awk -v n="$name" -v peak="$peak" -v grown="$((after - before))" -v s="$start" -v e="$end" \
		'{printf "%-8s cpu %7.1f s   peak %6.0f MB   cache +%6.1f MB   second run %.2f s\n", n, $1 + $2, peak / 1024, grown / 1024, e - s}' "$work/time"
}

measure nothing -vettool="$work/nothing"
measure vet -vettool="$work/vet" -printf.funcs="unseen$unseen"
measure concvet -vettool="$work/concvet"
