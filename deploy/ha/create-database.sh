#!/bin/sh
# /etc/patroni/create-database.sh on each database machine, readable by the user postgres only. Patroni runs it once, on the first primary, with its
# address. A pooler in transaction mode refuses timeouts as connection parameters, so they are set on the role.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password='${INBOX_PASSWORD}' "$1" <<'SQL'
create role inbox login password :'password';
alter role inbox set timezone = 'UTC';
alter role inbox set statement_timeout = '20s';
alter role inbox set lock_timeout = '10s';
alter role inbox set idle_in_transaction_session_timeout = '20s';
create database inbox owner inbox;
SQL
