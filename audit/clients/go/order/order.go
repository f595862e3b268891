// Package order is what is said between the audit and a client program: see ../../README.md.
package order

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
)

// Security is who a client is, and whom it believes; files are PEM.
type Security struct {
	CA          string `json:"ca"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
	Mechanism   string `json:"mechanism"`
	User        string `json:"user"`
	Password    string `json:"password"`
}

// TLS is what is spoken with brokers.
func (security *Security) TLS() *tls.Config {
	authorities, err := os.ReadFile(security.CA)
	if err != nil {
		panic(err)
	}
	believed := x509.NewCertPool()
	if !believed.AppendCertsFromPEM(authorities) {
		panic("no certificate in " + security.CA)
	}
	own, err := tls.LoadX509KeyPair(security.Certificate, security.Key)
	if err != nil {
		panic(err)
	}
	return &tls.Config{RootCAs: believed, Certificates: []tls.Certificate{own}}
}

// Order is what is to be done. Stopped is closed when it is to end.
type Order struct {
	Role      string    `json:"role"`
	Bootstrap string    `json:"bootstrap"`
	Topic     string    `json:"topic"`
	Client    string    `json:"client"`
	Producer  string    `json:"producer"`
	Rate      int       `json:"rate"`
	Size      int       `json:"size"`
	Security  *Security `json:"security"`
	Stopped   chan struct{}
	rates     chan int
}

var lock sync.Mutex

// Emit tells an event.
func Emit(event string, fields map[string]any) {
	line := map[string]any{"event": event}
	for name, value := range fields {
		line[name] = value
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	lock.Lock()
	defer lock.Unlock()
	os.Stdout.Write(append(text, '\n'))
}

// Exception tells of an error that reached the application.
func Exception(err error) {
	Emit("exception", map[string]any{"text": err.Error()})
}

// Seen tells of a record.
func Seen(partition int32, value []byte) {
	Emit("seen", map[string]any{"partition": partition, "value": string(value)})
}

// Receive waits for the order.
func Receive() *Order {
	lines := bufio.NewScanner(os.Stdin)
	if !lines.Scan() {
		os.Exit(0)
	}
	order := &Order{Stopped: make(chan struct{}), rates: make(chan int, 1)}
	if err := json.Unmarshal(lines.Bytes(), order); err != nil {
		panic(err)
	}
	go order.listen(lines)
	return order
}

func (order *Order) listen(lines *bufio.Scanner) {
	for lines.Scan() {
		var said struct {
			Command string `json:"command"`
			Rate    int    `json:"rate"`
		}
		if err := json.Unmarshal(lines.Bytes(), &said); err != nil {
			panic(err)
		}
		switch said.Command {
		case "stop":
			close(order.Stopped)
			return
		case "rate":
			order.rates <- said.Rate
		}
	}
	os.Exit(3) // Nobody is there to be told anything.
}

// Key is the key of a record.
func (order *Order) Key(sequence int64) []byte {
	return fmt.Appendf(nil, "k%d", sequence%101)
}

// Value is the value of a record.
func (order *Order) Value(sequence int64) []byte {
	value := fmt.Appendf(nil, "%s %d ", order.Producer, sequence)
	for len(value) < order.Size {
		value = append(value, byte('a'+sequence%26))
	}
	return value
}

// EachDue calls at the rate of the order, evenly, with the number of the record that is due, until it is stopped.
func (order *Order) EachDue(send func(sequence int64)) {
	ticks := time.NewTicker(time.Second / time.Duration(order.Rate))
	defer ticks.Stop()
	sequence := int64(0)
	for {
		select {
		case <-order.Stopped:
			return
		case rate := <-order.rates:
			ticks.Reset(time.Second / time.Duration(rate))
		case <-ticks.C:
			Emit("sent", map[string]any{"seq": sequence})
			send(sequence)
			sequence++
		}
	}
}

// Acked tells that a record is written.
func Acked(sequence int64) {
	Emit("acked", map[string]any{"seq": sequence})
}
