// Package handlers has what frameworks call once a request.
package handlers

import (
	"context"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	fiber2 "github.com/gofiber/fiber/v2"
	fiber3 "github.com/gofiber/fiber/v3"
	echo4 "github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/valyala/fasthttp"
	"google.golang.org/grpc"
)

type event struct{ URL string }

func send(url string) { http.Get(url) }

// The client is told that it is done, and sends the next.

func ginBad(c *gin.Context) {
	var e event
	if c.ShouldBindJSON(&e) != nil {
		return
	}
	go send(e.URL) // want `for every request .*each makes an outbound call .*go-per-item`
	c.Status(http.StatusAccepted)
}

func ginRawBad(c *gin.Context) {
	raw, err := io.ReadAll(c.Request.Body)
	if err != nil {
		return
	}
	go send(string(raw)) // want `for every request .*go-per-item`
}

func ginRoutes(r *gin.RouterGroup) {
	r.POST("/hook", func(c *gin.Context) {
		raw, _ := c.GetRawData()
		go func() { send(string(raw)) }() // want `for every request .*go-per-item`
	})
}

func echo4Bad(c echo4.Context) error {
	e := new(event)
	if err := c.Bind(e); err != nil {
		return err
	}
	go func() { send(e.URL) }() // want `for every request .*go-per-item`
	return c.NoContent(http.StatusAccepted)
}

func echo4BodyBad(c echo4.Context) error {
	raw, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return err
	}
	go send(string(raw)) // want `for every request .*go-per-item`
	return nil
}

func echo5Bad(c *echo5.Context) error {
	var e event
	if err := c.Bind(&e); err != nil {
		return err
	}
	go send(e.URL) // want `for every request .*go-per-item`
	return nil
}

func fiber2Bad(c *fiber2.Ctx) error {
	body := string(c.Body())
	go send(body) // want `for every request .*go-per-item`
	return c.SendStatus(http.StatusAccepted)
}

func fiber3Bad(c fiber3.Ctx) error {
	var e event
	if err := c.Bind().JSON(&e); err != nil {
		return err
	}
	go send(e.URL) // want `for every request .*go-per-item`
	return nil
}

func fasthttpBad(ctx *fasthttp.RequestCtx) {
	url := string(ctx.PostBody())
	go send(url) // want `for every request .*go-per-item`
}

func chiRoutes(r chi.Router, hooks *hooks) {
	r.Post("/hook", hooks.receiveBad)
}

type hooks struct{ slots chan struct{} }

func (h *hooks) receiveBad(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	go send(string(raw)) // want `for every request .*go-per-item`
}

// A slot first.

func (h *hooks) ginOk(c *gin.Context) {
	raw, _ := c.GetRawData()
	h.slots <- struct{}{}
	go func() {
		defer func() { <-h.slots }()
		send(string(raw))
	}()
}

func (h *hooks) echoOk(c echo4.Context) error {
	var e event
	if err := c.Bind(&e); err != nil {
		return err
	}
	select {
	case h.slots <- struct{}{}:
	default:
		return c.NoContent(http.StatusTooManyRequests)
	}
	go func() {
		defer func() { <-h.slots }()
		send(e.URL)
	}()
	return nil
}

// The handler does it itself.
func fiberOk(c *fiber2.Ctx) error {
	send(string(c.Body()))
	return nil
}

// Methods of a gRPC service, as protoc-gen-go-grpc declares one.

type request struct{ URL string }

func (r *request) GetURL() string { return r.URL }

type reply struct{}

type hookServer interface {
	Deliver(context.Context, *request) (*reply, error)
	Watch(grpc.BidiStreamingServer[request, reply]) error
	mustEmbedUnimplementedHookServer()
}

type UnimplementedHookServer struct{}

func (UnimplementedHookServer) Deliver(context.Context, *request) (*reply, error) { return nil, nil }

func (UnimplementedHookServer) Watch(grpc.BidiStreamingServer[request, reply]) error { return nil }

func (UnimplementedHookServer) mustEmbedUnimplementedHookServer() {}

type service struct {
	UnimplementedHookServer
	slots chan struct{}
}

var _ hookServer = (*service)(nil)

func (s *service) Deliver(ctx context.Context, in *request) (*reply, error) { // Bad
	go send(in.GetURL()) // want `for every request .*each makes an outbound call .*go-per-item`
	return &reply{}, nil
}

func (s *service) Watch(stream grpc.BidiStreamingServer[request, reply]) error { // Bad
	for {
		in, err := stream.Recv()
		if err != nil {
			return err
		}
		go send(in.URL) // want `for every message that is read from stream .*go-per-item`
	}
}

// It has no such method of the service.
func (s *service) helper(ctx context.Context, in *request) (*reply, error) {
	go send(in.GetURL())
	return nil, nil
}

type limited struct {
	UnimplementedHookServer
	slots chan struct{}
}

func (s *limited) Deliver(ctx context.Context, in *request) (*reply, error) { // Ok
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	go func() {
		defer func() { <-s.slots }()
		send(in.GetURL())
	}()
	return &reply{}, nil
}
