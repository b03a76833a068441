// Reads a source by go-mysql and prints what it reads in the matrix's common form: R, T and D lines.
package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-mysql-org/go-mysql/canal"
	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
)

var (
	out     = bufio.NewWriterSize(os.Stdout, 1<<20)
	isDdl   = regexp.MustCompile(`(?i)^\s*(create|alter|drop|rename|truncate)\s`)
	discard = slog.New(slog.NewTextHandler(io.Discard, nil))
)

// Arguments: mode, port, user, password, first file, folder.
func main() {
	mode, port, user, password, file, folder := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6]
	var err error
	switch mode {
	case "canal":
		err = readByCanal(port, user, password, mysql.Position{Name: file, Pos: 4})
	case "gtid":
		err = readByGtid(port, user, password)
	default:
		err = backUp(port, user, password, mysql.Position{Name: file, Pos: 4}, folder)
	}
	out.Flush()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func syncer(port, user, password string, raw bool) *replication.BinlogSyncer {
	number, _ := strconv.ParseUint(port, 10, 16)
	heartbeat := time.Second
	if raw {
		heartbeat = 0 // a backup would keep heartbeats as events of the file
	}
	return replication.NewBinlogSyncer(replication.BinlogSyncerConfig{
		ServerID:             4712,
		Host:                 "127.0.0.1",
		Port:                 uint16(number),
		User:                 user,
		Password:             password,
		RawModeEnabled:       raw,
		HeartbeatPeriod:      heartbeat,
		MaxReconnectAttempts: 1,
		Logger:               discard,
	})
}

func backUp(port, user, password string, from mysql.Position, folder string) error {
	reader := syncer(port, user, password, true)
	defer reader.Close()
	return reader.StartBackup(folder, from, 4*time.Second)
}

func readByGtid(port, user, password string) error {
	reader := syncer(port, user, password, false)
	defer reader.Close()
	empty, err := mysql.ParseMysqlGTIDSet("")
	if err != nil {
		return err
	}
	stream, err := reader.StartSyncGTID(empty)
	if err != nil {
		return err
	}
	done := false
	for {
		limit, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		event, err := stream.GetEvent(limit)
		cancel()
		if err != nil {
			return err
		}
		switch body := event.Event.(type) {
		case *replication.RowsEvent:
			table := string(body.Table.Schema) + "." + string(body.Table.Table)
			action, step := "insert", 1
			switch event.Header.EventType {
			case replication.UPDATE_ROWS_EVENTv1, replication.UPDATE_ROWS_EVENTv2:
				action, step = "update", 2
			case replication.DELETE_ROWS_EVENTv1, replication.DELETE_ROWS_EVENTv2:
				action = "delete"
			}
			rows(table, action, step, body.Rows)
			done = done || table == "shop.done"
		case *replication.QueryEvent:
			statement(string(body.Query))
		case *replication.XIDEvent:
			fmt.Fprintln(out, "T")
			if done {
				return nil
			}
		}
	}
}

// A canal's handler; it ends the program's reading at the last row of the workload.
type handler struct {
	canal.DummyEventHandler
	done  bool
	ended chan error
}

func (h *handler) OnRow(e *canal.RowsEvent) error {
	step := 1
	if e.Action == canal.UpdateAction {
		step = 2
	}
	table := e.Table.Schema + "." + e.Table.Name
	rows(table, e.Action, step, e.Rows)
	h.done = h.done || table == "shop.done"
	return nil
}

func (h *handler) OnDDL(_ *replication.EventHeader, _ mysql.Position, query *replication.QueryEvent) error {
	statement(string(query.Query))
	return nil
}

func (h *handler) OnXID(*replication.EventHeader, mysql.Position) error {
	fmt.Fprintln(out, "T")
	if h.done {
		h.ended <- nil
	}
	return nil
}

func readByCanal(port, user, password string, from mysql.Position) error {
	config := canal.NewDefaultConfig()
	config.Addr = "127.0.0.1:" + port
	config.User = user
	config.Password = password
	config.ServerID = 4713
	config.Dump.ExecutionPath = ""
	config.MaxReconnectAttempts = 1
	config.Logger = discard
	config.IncludeTableRegex = []string{`(shop|docs)\..*`}
	reader, err := canal.NewCanal(config)
	if err != nil {
		return err
	}
	ended := make(chan error, 2)
	reader.SetEventHandler(&handler{ended: ended})
	go func() { ended <- reader.RunFrom(from) }()
	select {
	case err = <-ended:
		return err
	case <-time.After(40 * time.Second):
		return fmt.Errorf("did not come to its end")
	}
}

func rows(table, action string, step int, rows [][]any) {
	for i := 0; i+step <= len(rows); i += step {
		fmt.Fprintf(out, "R\t%s\t%v\t%s", table, rows[i][0], action)
		for _, image := range rows[i : i+step] {
			for _, value := range image {
				fmt.Fprint(out, "\t", text(value))
			}
		}
		fmt.Fprintln(out)
	}
}

func text(value any) string {
	switch v := value.(type) {
	case []byte:
		return hex.EncodeToString(v)
	case string:
		return hex.EncodeToString([]byte(v))
	default:
		return fmt.Sprint(v)
	}
}

func statement(query string) {
	if isDdl.MatchString(query) {
		fmt.Fprintln(out, "D\t"+strings.Join(strings.Fields(query), " "))
	}
}
