//! Reads a source by mysql_async or mysql_cdc and prints what it reads in the matrix's common form: R, T and D lines.
//! Arguments: library, mode (position or gtid), port, user, password, first file.

use futures_util::StreamExt;
use mysql_async::binlog::events::EventData;
use mysql_async::{BinlogStreamRequest, Conn, OptsBuilder};
use mysql_cdc::binlog_client::BinlogClient;
use mysql_cdc::binlog_options::BinlogOptions;
use mysql_cdc::events::binlog_event::BinlogEvent;
use mysql_cdc::events::row_events::row_data::RowData;
use mysql_cdc::providers::mysql::gtid::gtid_set::GtidSet;
use mysql_cdc::replica_options::ReplicaOptions;
use mysql_cdc::ssl_mode::SslMode;
use std::collections::HashMap;
use std::error::Error;

const DONE: &str = "shop.done";

fn ddl(query: &str) {
    let words: Vec<&str> = query.split_whitespace().collect();
    let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    if ["create", "alter", "drop", "rename", "truncate"].contains(&first.as_str()) {
        println!("D\t{}", words.join(" "));
    }
}

fn row(table: &str, action: &str, images: &[Vec<String>]) {
    let values: Vec<String> = images.concat().iter().map(|value| value.replace(['\t', '\n'], " ")).collect();
    println!("R\t{}\t{}\t{}\t{}", table, values[0], action, values.join("\t"));
}

async fn by_mysql_async(mode: &str, port: u16, user: &str, password: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let options = OptsBuilder::default()
        .ip_or_hostname("127.0.0.1")
        .tcp_port(port)
        .user(Some(user))
        .pass(Some(password))
        .prefer_socket(false);
    let request = BinlogStreamRequest::new(4720);
    let request = if mode == "gtid" { request.with_gtid() } else { request.with_filename(file.as_bytes()).with_pos(4) };
    let mut stream = Conn::new(options).await?.get_binlog_stream(request).await?;
    let mut done = false;
    while let Some(event) = stream.next().await {
        match event?.read_data()? {
            Some(EventData::QueryEvent(query)) => ddl(&query.query()),
            Some(EventData::RowsEvent(rows)) => {
                let map = stream.get_tme(rows.table_id()).ok_or("no table map")?;
                let table = format!("{}.{}", map.database_name(), map.table_name());
                done = done || table == DONE;
                for each in rows.rows(map) {
                    let (before, after) = each?;
                    let action = match (&before, &after) {
                        (None, _) => "insert",
                        (_, None) => "delete",
                        _ => "update",
                    };
                    let images: Vec<Vec<String>> = [before, after]
                        .into_iter()
                        .flatten()
                        .map(|image| (0..image.len()).map(|i| format!("{:?}", image.as_ref(i))).collect())
                        .collect();
                    row(&table, action, &images);
                }
            }
            Some(EventData::XidEvent(_)) => {
                println!("T");
                if done {
                    return Ok(());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn cells(row: &RowData) -> Vec<String> {
    row.cells.iter().map(|cell| format!("{:?}", cell)).collect()
}

fn by_mysql_cdc(mode: &str, port: u16, user: &str, password: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let binlog = if mode == "gtid" {
        BinlogOptions::from_mysql_gtid(GtidSet::new())
    } else {
        BinlogOptions::from_position(file.to_string(), 4)
    };
    let options = ReplicaOptions {
        hostname: String::from("127.0.0.1"),
        port,
        username: user.to_string(),
        password: password.to_string(),
        server_id: 4721,
        blocking: true,
        ssl_mode: SslMode::Disabled,
        binlog,
        ..Default::default()
    };
    let mut tables = HashMap::new();
    let mut done = false;
    let mut client = BinlogClient::new(options);
    for result in client.replicate().map_err(|e| format!("{:?}", e))? {
        let (_, event) = result.map_err(|e| format!("{:?}", e))?;
        match event {
            BinlogEvent::QueryEvent(query) => ddl(&query.sql_statement),
            BinlogEvent::TableMapEvent(map) => {
                tables.insert(map.table_id, format!("{}.{}", map.database_name, map.table_name));
            }
            BinlogEvent::WriteRowsEvent(rows) => {
                let table = &tables[&rows.table_id];
                done = done || table == DONE;
                rows.rows.iter().for_each(|each| row(table, "insert", &[cells(each)]));
            }
            BinlogEvent::DeleteRowsEvent(rows) => {
                rows.rows.iter().for_each(|each| row(&tables[&rows.table_id], "delete", &[cells(each)]));
            }
            BinlogEvent::UpdateRowsEvent(rows) => rows.rows.iter().for_each(|each| {
                row(&tables[&rows.table_id], "update", &[cells(&each.before_update), cells(&each.after_update)])
            }),
            BinlogEvent::XidEvent(_) => {
                println!("T");
                if done {
                    return Ok(());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (library, mode, port) = (arguments[1].as_str(), arguments[2].as_str(), arguments[3].parse()?);
    let (user, password, file) = (arguments[4].as_str(), arguments[5].as_str(), arguments[6].as_str());
    if library == "mysql_async" {
        by_mysql_async(mode, port, user, password, file).await
    } else {
        by_mysql_cdc(mode, port, user, password, file)
    }
}
