create index concurrently "flows_triggered" on "flows" ("workspace_id", "trigger") where "enabled" and "trigger" <> 'conversation_started';
