package thirdparty

import (
	"context"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

type plain struct{ cc *grpc.ClientConn }

func newPlain(addr string) (*plain, error) {
	cc, err := grpc.NewClient(addr, grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`))
	if err != nil {
		return nil, err
	}
	return &plain{cc: cc}, nil
}

func (p *plain) seatsBad() error {
	return p.cc.Invoke(context.Background(), "/x", nil, nil) // want `ctx-none`
}

// What only puts something on a context does not end it.
func (p *plain) metadataBad() error {
	return p.cc.Invoke(p.auth(), "/x", nil, nil) // want `ctx-none`
}

func (p *plain) auth() context.Context {
	return metadata.AppendToOutgoingContext(context.Background(), "token", "t")
}

func metadataOk(p *plain, ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return p.cc.Invoke(metadata.NewOutgoingContext(ctx, nil), "/x", nil, nil)
}

func newMetadataBad(p *plain, md metadata.MD) error {
	return p.cc.Invoke(metadata.NewOutgoingContext(context.TODO(), md), "/x", nil, nil) // want `ctx-none`
}

func within(d time.Duration) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		ctx, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		return invoke(ctx, method, req, reply, cc, opts...)
	}
}

func counted(n *int) grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		*n++
		return invoke(ctx, method, req, reply, cc, opts...)
	}
}

// An interceptor gives every call a timeout.
type intercepted struct{ cc *grpc.ClientConn }

func newIntercepted(addr string) (*intercepted, error) {
	cc, err := grpc.NewClient(addr, grpc.WithChainUnaryInterceptor(within(3*time.Second)))
	if err != nil {
		return nil, err
	}
	return &intercepted{cc: cc}, nil
}

func (p *intercepted) seatsOk() error {
	return p.cc.Invoke(context.Background(), "/x", nil, nil)
}

type counting struct{ cc *grpc.ClientConn }

func newCounting(addr string, n *int) (*counting, error) {
	cc, err := grpc.NewClient(addr, grpc.WithUnaryInterceptor(counted(n)))
	return &counting{cc: cc}, err
}

func (p *counting) seatsBad() error {
	return p.cc.Invoke(context.Background(), "/x", nil, nil) // want `ctx-none`
}

// So may one that comes from elsewhere.
type given struct{ cc *grpc.ClientConn }

func dialGiven(addr string, by grpc.UnaryClientInterceptor) (*grpc.ClientConn, error) {
	opts := []grpc.DialOption{}
	opts = append(opts, grpc.WithUnaryInterceptor(by))
	return grpc.NewClient(addr, opts...)
}

func newGiven(addr string, by grpc.UnaryClientInterceptor) (*given, error) {
	cc, err := dialGiven(addr, by)
	if err != nil {
		return nil, err
	}
	return givenConn(cc), nil
}

func givenConn(cc *grpc.ClientConn) *given { return &given{cc} }

func (p *given) seatsOk() error {
	return p.cc.Invoke(context.Background(), "/x", nil, nil)
}

func configOk(addr string) error {
	cc, err := grpc.NewClient(addr, grpc.WithDefaultServiceConfig(`{"methodConfig":[{"name":[{}],"timeout":"5s"}]}`))
	if err != nil {
		return err
	}
	return cc.Invoke(context.Background(), "/x", nil, nil)
}

func bucketBad(cfg aws.Config) error {
	_, err := s3.NewFromConfig(cfg).GetBucketLocation(context.Background(), nil) // want `ctx-none`
	return err
}

type bucket struct{ api *s3.Client }

func newBucket(cfg aws.Config, hc *http.Client) *bucket {
	cfg.HTTPClient = hc
	return &bucket{api: s3.NewFromConfig(cfg)}
}

func (b *bucket) locationOk() error {
	_, err := b.api.GetBucketLocation(context.Background(), nil)
	return err
}

func loadedOk(hc *http.Client) error {
	cfg, err := config.LoadDefaultConfig(context.Background(), config.WithHTTPClient(hc))
	if err != nil {
		return err
	}
	_, err = s3.NewFromConfig(cfg).GetBucketLocation(context.Background(), nil)
	return err
}

func optionOk(cfg aws.Config, hc *http.Client) error {
	api := s3.NewFromConfig(cfg, func(o *s3.Options) { o.HTTPClient = hc })
	_, err := api.GetBucketLocation(context.Background(), nil)
	return err
}

func otherOptionBad(cfg aws.Config) error {
	api := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
	_, err := api.GetBucketLocation(context.Background(), nil) // want `ctx-none`
	return err
}
