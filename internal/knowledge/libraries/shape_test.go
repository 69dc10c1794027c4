package libraries

import (
	"go/types"
	"strings"
	"testing"
	"time"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/knowledge"
)

// The methods of generated clients are answered by their shape.
func TestGeneratedClients(t *testing.T) {
	pkgs := loaded(t)
	for _, test := range []struct {
		key  string
		want string // "net" with its parameters, or "" for nothing
	}{
		{"(*cloud.google.com/go/pubsub/v2/apiv1.TopicAdminClient).CreateTopic", "net ctx=0 max=1m0s"},
		{"(*cloud.google.com/go/pubsub/v2/apiv1.TopicAdminClient).ListTopics", ""},
		{"(*cloud.google.com/go/pubsub/v2/apiv1.TopicAdminClient).Close", ""},
		{"(*cloud.google.com/go/storage.ObjectIterator).Next", "net"},
		{"(*github.com/aws/aws-sdk-go-v2/service/dynamodb.Client).PutItem", "net ctx=0"},
		{"(*github.com/aws/aws-sdk-go-v2/service/s3.Client).GetObject", "net ctx=0"},
		{"(*github.com/aws/aws-sdk-go-v2/service/s3.BucketExistsWaiter).Wait", "net ctx=0 dur=2"},
		{"(*github.com/aws/aws-sdk-go-v2/service/s3.ListObjectsV2Paginator).NextPage", "net ctx=0"},
		{"(*github.com/aws/aws-sdk-go-v2/service/s3.PresignClient).PresignGetObject", ""},
		{"(*github.com/aws/aws-sdk-go-v2/service/sqs.Client).ReceiveMessage", "net ctx=0"},
		{"(github.com/elastic/go-elasticsearch/v8/esapi.SearchRequest).Do", "net ctx=0"},
		{"(github.com/elastic/go-elasticsearch/v8/esapi.Search).WithContext", ""},
		{"(github.com/elastic/go-elasticsearch/v8/typedapi/core/search.Search).Do", "net ctx=0"},
		{"(github.com/elastic/go-elasticsearch/v8/typedapi/core/search.Search).HttpRequest", ""},
		{"(go.etcd.io/etcd/api/v3/etcdserverpb.KVClient).Range", "net ctx=0"},
		{"(go.etcd.io/etcd/api/v3/etcdserverpb.WatchClient).Watch", "net ctx=0"},
		{"(google.golang.org/grpc/health/grpc_health_v1.HealthClient).Check", "net ctx=0"},
		{"(google.golang.org/grpc/health/grpc_health_v1.HealthServer).Check", ""},
		{"(*k8s.io/client-go/kubernetes/typed/core/v1/fake.fakePods).Bind", ""},
		{"(k8s.io/client-go/kubernetes/typed/apps/v1.DeploymentInterface).UpdateScale", "net ctx=0"},
		{"(k8s.io/client-go/kubernetes/typed/core/v1.PodExpansion).EvictV1", "net ctx=0"},
		{"(k8s.io/client-go/kubernetes/typed/core/v1.PodExpansion).GetLogs", ""},
		{"(k8s.io/client-go/kubernetes/typed/core/v1.PodInterface).Get", "net ctx=0"},
		{"(k8s.io/client-go/kubernetes/typed/core/v1.PodInterface).Patch", "net ctx=0"},
		{"(k8s.io/client-go/kubernetes/typed/core/v1.PodsGetter).Pods", ""},
		{"(github.com/redis/go-redis/v9.cmdable).Get", "net ctx=0 pool=-1 max=1m4s"},
		{"(github.com/redis/go-redis/v9.cmdable).BLPop", "net ctx=0 dur=1 pool=-1"},
		{"(github.com/redis/go-redis/v9.StringCmdable).Get", ""},
		{"(*github.com/redis/go-redis/v9.StringCmd).Result", "quiet"},
		{"(*github.com/redis/go-redis/v9.baseCmd).Err", "quiet"},
	} {
		fn := find(pkgs, test.key)
		if fn == nil {
			t.Errorf("%s: no such method", test.key)
			continue
		}
		if got := describe(knowledge.Builtin().Func(fn)); got != test.want {
			t.Errorf("%s: %q, want %q", test.key, got, test.want)
		}
	}
}

// A command of go-redis waits on a client and is queued on a pipeline; both
// have the same declaration.
func TestRedisCommandDependsOnTheReceiver(t *testing.T) {
	pkgs := loaded(t)
	const path = "github.com/redis/go-redis/v9"
	for _, test := range []struct{ recv, method, want string }{
		{"Client", "Get", "net ctx=0 pool=-1 max=1m4s"},
		{"UniversalClient", "Get", "net ctx=0 pool=-1 max=1m4s"},
		{"Cmdable", "XRead", "net ctx=0 pool=-1 max=1m4s"},
		{"Pipeliner", "Get", "quiet"},
		{"Pipeline", "Get", "quiet"},
		{"Pipeliner", "Exec", "net ctx=0 pool=-1 max=1m4s"},
		{"Pipeliner", "Pipelined", "net ctx=0 pool=-1 max=1m4s"},
		{"Cmdable", "Pipeline", ""},
		{"StringCmdable", "Get", ""},
	} {
		typ := pkgs[path].Scope().Lookup(test.recv).Type()
		fn := find(pkgs, "("+path+"."+test.recv+")."+test.method)
		if fn == nil {
			t.Errorf("%s.%s: no such method", test.recv, test.method)
			continue
		}
		if !types.IsInterface(typ) {
			typ = types.NewPointer(typ)
		}
		if got := describe(knowledge.Builtin().FuncOn(fn, typ)); got != test.want {
			t.Errorf("%s.%s: %q, want %q", test.recv, test.method, got, test.want)
		}
	}
}

// Every command of go-redis that takes a context is answered.
func TestEveryRedisCommandIsAnswered(t *testing.T) {
	pkgs := loaded(t)
	named := pkgs["github.com/redis/go-redis/v9"].Scope().Lookup("cmdable").Type().(*types.Named)
	commands := 0
	for m := range named.Methods() {
		if !m.Exported() || !strings.HasPrefix(types.TypeString(m.Signature().Params(), nil), "(ctx context.Context") {
			continue
		}
		commands++
		if got := describe(knowledge.Builtin().Func(m)); !strings.HasPrefix(got, "net ctx=0") && m.Name() != "Sync" {
			t.Errorf("%s: %q", m.Name(), got)
		}
	}
	if commands < 400 {
		t.Errorf("only %d commands were looked at", commands)
	}
}

// describe says what of a row matters here.
func describe(row *knowledge.Row) string {
	switch {
	case row == nil:
		return ""
	case row.Quiet:
		return "quiet"
	}
	var s strings.Builder
	for _, e := range row.Effects {
		if e.Kind != effect.Net {
			continue
		}
		s.WriteString(e.Kind.String())
		part(&s, "ctx", e.Ctx)
		part(&s, "dur", e.Dur)
		part(&s, "pool", e.Pool)
		if e.Max > 0 {
			s.WriteString(" max=" + e.Max.Round(time.Second).String())
		}
	}
	return s.String()
}

func part(s *strings.Builder, name string, param int) {
	if param == knowledge.NoParam {
		return
	}
	s.WriteString(" " + name + "=")
	if param < 0 {
		s.WriteString("-1")
		return
	}
	s.WriteByte(byte('0' + param))
}
