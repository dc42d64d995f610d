#!/bin/sh
# PostgreSQL's image runs this when the data folder is empty. The role owns its database and is no superuser. A pooler in transaction mode
# refuses timeouts as connection parameters, so they are set on the role.
set -eu
psql --set=ON_ERROR_STOP=1 --username=postgres --set=password="$(cat /run/secrets/password)" <<'SQL'
create role inbox login password :'password';
alter role inbox set statement_timeout = '20s';
alter role inbox set lock_timeout = '10s';
alter role inbox set idle_in_transaction_session_timeout = '20s';
create database inbox owner inbox;
SQL
