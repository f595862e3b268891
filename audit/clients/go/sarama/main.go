// sarama: not idempotent unless told to; its log has no levels, so its errors are what it returns.
package main

import (
	"context"
	"strings"
	"sync"

	"github.com/IBM/sarama"

	"sluice/audit/clients/order"
)

func settings(work *order.Order) *sarama.Config {
	config := sarama.NewConfig()
	config.ClientID = work.Client
	config.Version = sarama.V2_8_0_0
	config.Producer.RequiredAcks = sarama.WaitForAll
	config.Producer.Return.Successes = true
	config.Consumer.Return.Errors = true
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	return config
}

func produce(work *order.Order) {
	producer, err := sarama.NewAsyncProducer(strings.Split(work.Bootstrap, ","), settings(work))
	if err != nil {
		panic(err)
	}
	var answers sync.WaitGroup
	answers.Go(func() {
		for sent := range producer.Successes() {
			order.Acked(sent.Metadata.(int64))
		}
	})
	answers.Go(func() {
		for failed := range producer.Errors() {
			order.Exception(failed.Err)
		}
	})
	work.EachDue(func(sequence int64) {
		producer.Input() <- &sarama.ProducerMessage{
			Topic:    work.Topic,
			Key:      sarama.ByteEncoder(work.Key(sequence)),
			Value:    sarama.ByteEncoder(work.Value(sequence)),
			Metadata: sequence,
		}
	})
	producer.AsyncClose()
	answers.Wait()
}

type member struct{ begun bool }

func (it *member) Setup(sarama.ConsumerGroupSession) error {
	if it.begun {
		order.Emit("rebalance", nil)
	}
	it.begun = true
	return nil
}

func (*member) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (*member) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for record := range claim.Messages() {
		order.Seen(record.Partition, record.Value)
		session.MarkMessage(record, "")
	}
	return nil
}

func read(work *order.Order) {
	group, err := sarama.NewConsumerGroup(strings.Split(work.Bootstrap, ","), work.Client, settings(work))
	if err != nil {
		panic(err)
	}
	go func() {
		for failed := range group.Errors() {
			order.Exception(failed)
		}
	}()
	until, end := context.WithCancel(context.Background())
	go func() { <-work.Stopped; end() }()
	claimed := &member{}
	for until.Err() == nil {
		if err := group.Consume(until, []string{work.Topic}, claimed); err != nil && until.Err() == nil {
			order.Exception(err)
		}
	}
	if err := group.Close(); err != nil {
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
