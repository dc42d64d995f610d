#!/usr/bin/env bash
# Subject:     the lock of the primary in etcd, as Patroni renews it
# Versions:    patroni 3.0.2-1, etcd-server 3.4.23-4 (Debian 12): apt-get install patroni python3-etcd etcd-server
# Expectation: a node whose lock expired, and was acquired by another node, does not get it back by renewing it.
# Behaviour:   with the v3 API of etcd, Patroni trusts what it read last. If that says that the node itself has the lock, it takes a new lease
#              and writes its name without a condition. It reads with `serializable`: a machine that was cut off together with its etcd reads
#              its old lock there when it comes back. The new primary then steps down, and what it had acknowledged is lost. With the v2
#              API the write has a condition, and fails.
# Seen on 28 November 2026:
#              etcd3: db1 had the lock, db2 acquired it, db1 renewed it: it belongs to db1
#              etcd: db1 had the lock, db2 acquired it, db1 renewed it: it belongs to db2
set -euo pipefail

for program in patroni etcd; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt-get install patroni python3-etcd etcd-server"; exit 1; }
done
folder=$(mktemp -d)
etcd --name finding --data-dir "$folder/data" --enable-v2 \
  --listen-client-urls http://127.0.0.1:7923 --advertise-client-urls http://127.0.0.1:7923 \
  --listen-peer-urls http://127.0.0.1:7924 --initial-advertise-peer-urls http://127.0.0.1:7924 \
  --initial-cluster finding=http://127.0.0.1:7924 > "$folder/etcd.log" 2>&1 &
etcd=$!
trap 'kill $etcd; wait $etcd 2>/dev/null || true; rm -rf "$folder"' EXIT

PYTHONDONTWRITEBYTECODE=1 timeout 120 /usr/bin/python3 - <<'PYTHON'
import logging, os, sys, time
from patroni.dcs.etcd import Etcd
from patroni.dcs.etcd3 import Etcd3

logging.disable(logging.CRITICAL)


def owner_after_renewal(kind, api):
    def node(name):
        return kind({'host': '127.0.0.1:7923', 'scope': api, 'namespace': '/finding/', 'name': name, 'ttl': 15, 'retry_timeout': 6, 'loop_wait': 3})

    first, second = node('db1'), node('db2')
    first.get_cluster()
    second.get_cluster()
    assert first.attempt_to_acquire_leader()
    first.get_cluster()
    # The lock expires. The first node does not learn of it.
    if api == 'etcd3':
        first._client.call_rpc('/lease/revoke', {'ID': first._lease})
    else:
        first._client.delete(first.leader_path)
    second.get_cluster()
    assert second.attempt_to_acquire_leader()
    try:
        first.update_leader(None)
    except Exception:
        pass
    time.sleep(1)
    owner = second.get_cluster().leader.name
    print(f'{api}: db1 had the lock, db2 acquired it, db1 renewed it: it belongs to {owner}')
    return owner


time.sleep(2)
owners = [owner_after_renewal(Etcd3, 'etcd3'), owner_after_renewal(Etcd, 'etcd')]
sys.stdout.flush()
os._exit(0 if owners == ['db1', 'db2'] else 1)
PYTHON
