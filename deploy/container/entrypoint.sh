#!/bin/sh
# Commands of the image. Each replaces this shell, so that it receives signals.
set -eu
command="${1:-web}"
[ "$#" -eq 0 ] || shift
case "$command" in
  web) exec node server/main.ts ;;
  worker) exec node worker/main.ts ;;
  migrate) exec node prisma/migrate.ts ;;
  backup) exec node scripts/commands/backup.ts "$@" ;;
  restore) exec node scripts/commands/restore.ts "$@" ;;
  create-workspace) exec node scripts/commands/create-workspace.ts "$@" ;;
  mail-address) exec node scripts/commands/connect-posted-mail.ts "$@" ;;
  compose-secrets) exec node scripts/commands/compose-secrets.ts ;;
  health)
    exec node -e 'fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health`, { signal: AbortSignal.timeout(5000) })
      .then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))'
    ;;
  node | sh) exec "$command" "$@" ;;
  *)
    echo "Unknown command \"$command\". Use web, worker, migrate, backup, restore, create-workspace, mail-address, compose-secrets or health." >&2
    exit 64
    ;;
esac
