package main

// roots are the packages that have a stub, with what it declares besides what
// the rows of the package name: functions, types (with their fields), variables
// and methods, "T.M", that a test of an analyzer needs to be written.
var roots = map[string]string{
	"charm.land/bubbletea/v2":                      "NewView View KeyPressMsg Quit",
	"fyne.io/fyne/v2":                              "",
	"fyne.io/fyne/v2/widget":                       "NewEntry",
	"gioui.org/app":                                "FrameEvent DestroyEvent",
	"github.com/IBM/sarama":                        "ByteEncoder Config ConsumerMessage Encoder ProducerMessage StringEncoder",
	"github.com/Jeffail/tunny":                     "",
	"github.com/alitto/pond":                       "",
	"github.com/alitto/pond/v2":                    "Option WithQueueSize WithNonBlocking",
	"github.com/charmbracelet/bubbletea":           "Cmd Msg KeyMsg Quit NewProgram Model.Init",
	"github.com/eclipse/paho.mqtt.golang":          "Client.Publish Message Message.Payload",
	"github.com/concvet/concvet/runtime/bqueue":    "Block Reject DropOldest DropNewest ErrFull ErrClosed",
	"github.com/concvet/concvet/runtime/bulkhead":  "Bulk Interactive ErrFull ErrTooLarge",
	"github.com/concvet/concvet/runtime/rtstat":    "",
	"github.com/concvet/concvet/runtime/sizing":    "",
	"github.com/concvet/concvet/runtime/workpool":  "Dist ErrQueueFull ErrClosed ErrSelfSubmit ErrExpired ErrDropped ErrGoexit PanicError ShutdownError",
	"github.com/eapache/channels":                  "InfiniteChannel.In InfiniteChannel.Out",
	"github.com/gammazero/workerpool":              "",
	"github.com/gobuffalo/pop/v6":                  "",
	"github.com/gomodule/redigo/redis":             "Bytes DialConnectTimeout DialOption DialReadTimeout DialWriteTimeout Int Pool String Strings Values ErrNil",
	"github.com/gorilla/websocket":                 "BinaryMessage DefaultDialer TextMessage Upgrader Dialer",
	"github.com/hajimehoshi/ebiten/v2":             "RunGame Image",
	"github.com/hashicorp/raft":                    "Log FSM.Restore FSMSnapshot",
	"github.com/jackc/pgx/v5":                      "Batch Batch.Queue CollectableRow.Scan ErrNoRows ErrTxClosed Identifier NamedArgs RowTo RowToAddrOfStructByName RowToFunc RowToStructByName TxOptions",
	"github.com/jackc/pgx/v5/pgconn":               "CommandTag.RowsAffected CommandTag.String",
	"github.com/jackc/pgx/v5/pgxpool":              "Config",
	"github.com/jmoiron/sqlx":                      "",
	"github.com/nats-io/nats.go":                   "Msg MsgHandler Option MaxWait",
	"github.com/panjf2000/ants/v2":                 "Option Options WithNonblocking Pool.Release Pool.Running Pool.Submit",
	"github.com/panjf2000/gnet/v2":                 "BuiltinEventEngine Conn Action None Conn.Write",
	"github.com/puzpuzpuz/xsync/v4":                "UMPSCQueue",
	"github.com/rabbitmq/amqp091-go":               "Config Delivery Publishing Queue Table",
	"github.com/redis/go-redis/v9":                 redisExtras,
	"github.com/segmentio/kafka-go":                "Dialer Message Reader ReaderConfig TCP Writer WriterConfig",
	"github.com/smallnest/chanx":                   "UnboundedChan",
	"github.com/sourcegraph/conc":                  "",
	"github.com/sourcegraph/conc/iter":             "",
	"github.com/sourcegraph/conc/pool":             "New",
	"github.com/sourcegraph/conc/stream":           "New Callback",
	"github.com/spf13/cobra":                       "Command.Execute Command.AddCommand Command.Context",
	"github.com/tidwall/evio":                      "Action None Conn",
	"github.com/uptrace/bun":                       "",
	"go.etcd.io/bbolt":                             "Options",
	"go.etcd.io/etcd/client/v3":                    "Client Config New Compare Op OpGet OpPut OpOption WithPrefix",
	"go.etcd.io/etcd/client/v3/concurrency":        "WithTTL",
	"go.etcd.io/raft/v3":                           "Node.Advance Node.Tick Ready",
	"go.mongodb.org/mongo-driver/v2/mongo":         "ErrNoDocuments Pipeline",
	"go.mongodb.org/mongo-driver/v2/mongo/options": "Client ClientOptions.ApplyURI ClientOptions.SetTimeout Find FindOptionsBuilder.SetLimit",
	"golang.org/x/crypto/ssh":                      "ClientConfig InsecureIgnoreHostKey Password",
	"golang.org/x/net/netutil":                     "",
	"golang.org/x/sync/errgroup":                   "",
	"golang.org/x/sync/semaphore":                  "",
	"golang.org/x/sync/singleflight":               "Result",
	"golang.org/x/time/rate":                       "Limit NewLimiter",
	"google.golang.org/grpc":                       "CallOption DialOption ServerOption StreamDesc WaitForReady WithBlock",
	"gorm.io/gorm":                                 "Config ErrRecordNotFound Model Session",
	"k8s.io/client-go/tools/cache":                 "ResourceEventHandlerFuncs.OnAdd ResourceEventHandlerFuncs.OnUpdate ResourceEventHandlerFuncs.OnDelete",
}

const redisExtras = "Nil Options ClusterOptions UniversalOptions Message Z XReadArgs XReadGroupArgs XAddArgs " +
	"cmdable.BLPop cmdable.Decr cmdable.Del cmdable.Do cmdable.Eval cmdable.EvalSha cmdable.Exists cmdable.Expire cmdable.Get cmdable.HGet cmdable.HGetAll cmdable.HSet " +
	"cmdable.Incr cmdable.LPop cmdable.LPush cmdable.MGet cmdable.Ping cmdable.Publish cmdable.RPush cmdable.SAdd cmdable.SMembers cmdable.Scan cmdable.Set cmdable.SetNX cmdable.XAdd cmdable.ZAdd " +
	"StringCmdable.Decr StringCmdable.Get StringCmdable.Incr StringCmdable.MGet StringCmdable.Set StringCmdable.SetNX GenericCmdable.Del GenericCmdable.Exists GenericCmdable.Expire " +
	"HashCmdable.HGet HashCmdable.HGetAll HashCmdable.HSet ListCmdable.BLPop ListCmdable.LPop ListCmdable.LPush ListCmdable.RPush PubSubCmdable.Publish SetCmdable.SAdd SetCmdable.SMembers StreamCmdable.XAdd StreamCmdable.XReadGroup SortedSetCmdable.ZAdd Cmdable.Ping " +
	"Cmd.Result Cmd.Val Cmder.Err IntCmd.Result IntCmd.Val StatusCmd.Result StatusCmd.Val StringCmd.Bytes StringCmd.Result StringCmd.Val BoolCmd.Result BoolCmd.Val SliceCmd.Result StringSliceCmd.Result StringSliceCmd.Val MapStringStringCmd.Result XStreamSliceCmd.Result baseCmd.Err"
