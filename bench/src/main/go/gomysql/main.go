// Reads the binlogs of some shards by go-mysql in raw mode, all at once, and writes each to a file, as mysqlbinlog --raw does.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
)

// Arguments: user, password, binlog file's name, folder to write to, then PORT:TRANSACTIONS of each shard.
func main() {
	shards := os.Args[5:]
	ends := make(chan error)
	for i, shard := range shards {
		go func() { ends <- read(i, shard) }()
	}
	for range shards {
		if err := <-ends; err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func read(index int, shard string) error {
	where, count, _ := strings.Cut(shard, ":")
	port, err := strconv.ParseUint(where, 10, 16)
	if err != nil {
		return err
	}
	left, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(os.Args[4], where))
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 256<<10)
	syncer := replication.NewBinlogSyncer(replication.BinlogSyncerConfig{
		ServerID:       uint32(4712 + index),
		Host:           "127.0.0.1",
		Port:           uint16(port),
		User:           os.Args[1],
		Password:       os.Args[2],
		RawModeEnabled: true,
		Logger:         slog.New(slog.DiscardHandler),
	})
	defer syncer.Close()
	stream, err := syncer.StartSync(mysql.Position{Name: os.Args[3], Pos: 4})
	if err != nil {
		return err
	}
	for {
		event, err := stream.GetEvent(context.Background())
		if err != nil {
			return err
		}
		if _, err := out.Write(event.RawData); err != nil {
			return err
		}
		switch event.Header.EventType {
		case replication.GTID_EVENT:
			left--
		case replication.XID_EVENT:
			if left == 0 {
				return out.Flush()
			}
		}
	}
}
