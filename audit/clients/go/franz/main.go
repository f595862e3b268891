// franz-go: idempotent by itself.
package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"sluice/audit/clients/order"
)

type told struct{}

func (told) Level() kgo.LogLevel { return kgo.LogLevelWarn }

func (told) Log(level kgo.LogLevel, text string, values ...any) {
	name := "WARN"
	if level == kgo.LogLevelError {
		name = "ERROR"
	}
	order.Emit("log", map[string]any{"level": name, "text": text + " " + fmt.Sprint(values...)})
}

func proof(security *order.Security) []kgo.Opt {
	if security == nil {
		return nil
	}
	if security.Mechanism != "SCRAM-SHA-256" {
		panic("expected SCRAM-SHA-256, found " + security.Mechanism)
	}
	who := scram.Auth{User: security.User, Pass: security.Password}
	return []kgo.Opt{kgo.DialTLSConfig(security.TLS()), kgo.SASL(who.AsSha256Mechanism())}
}

func client(work *order.Order, options ...kgo.Opt) *kgo.Client {
	options = append(options, proof(work.Security)...)
	client, err := kgo.NewClient(append(options,
		kgo.SeedBrokers(strings.Split(work.Bootstrap, ",")...),
		kgo.ClientID(work.Client),
		kgo.WithLogger(told{}))...)
	if err != nil {
		panic(err)
	}
	return client
}

func produce(work *order.Order) {
	client := client(work, kgo.DefaultProduceTopic(work.Topic))
	defer client.Close()
	work.EachDue(func(sequence int64) {
		record := &kgo.Record{Key: work.Key(sequence), Value: work.Value(sequence)}
		client.Produce(context.Background(), record, func(_ *kgo.Record, err error) {
			if err != nil {
				order.Exception(err)
			} else {
				order.Acked(sequence)
			}
		})
	})
	limit, end := context.WithTimeout(context.Background(), 30*time.Second)
	defer end()
	if err := client.Flush(limit); err != nil {
		order.Exception(err)
	}
}

func read(work *order.Order) {
	begun := false
	client := client(work,
		kgo.ConsumerGroup(work.Client),
		kgo.ConsumeTopics(work.Topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.OnPartitionsAssigned(func(context.Context, *kgo.Client, map[string][]int32) {
			if begun {
				order.Emit("rebalance", nil)
			}
			begun = true
		}))
	defer client.Close()
	until, end := context.WithCancel(context.Background())
	go func() { <-work.Stopped; end() }()
	for until.Err() == nil {
		fetches := client.PollFetches(until)
		for _, failed := range fetches.Errors() {
			if until.Err() == nil {
				order.Exception(failed.Err)
			}
		}
		fetches.EachRecord(func(record *kgo.Record) { order.Seen(record.Partition, record.Value) })
	}
	limit, endCommit := context.WithTimeout(context.Background(), 10*time.Second)
	defer endCommit()
	if err := client.CommitUncommittedOffsets(limit); err != nil {
		order.Exception(err)
	}
}

func main() {
	work := order.Receive()
	if work.Role == "producer" {
		produce(work)
	} else {
		read(work)
	}
	order.Emit("done", nil)
}
