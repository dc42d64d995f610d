create index concurrently "flows_timed" on "flows" ("id") where "enabled" and "timed_until" is not null;
