-- Tags compare in Unicode NFC, so that "é" as one or as two characters is the same tag. Of tags that become equal, a
-- conversation keeps the first one, and a sample keeps the newest.

delete from "conversation_tags" t using "conversation_tags" earlier
where earlier."conversation_id" = t."conversation_id"
  and (t."key" is not nfc normalized or earlier."key" is not nfc normalized)
  and normalize(earlier."key", nfc) = normalize(t."key", nfc)
  and (earlier."created_at", earlier."position", earlier."key") < (t."created_at", t."position", t."key");
update "conversation_tags" set "key" = normalize("key", nfc) where "key" is not nfc normalized;

delete from "tagging_tags" t using "tagging_tags" earlier
where earlier."tagging_id" = t."tagging_id"
  and (t."key" is not nfc normalized or earlier."key" is not nfc normalized)
  and normalize(earlier."key", nfc) = normalize(t."key", nfc)
  and (earlier."position", earlier."key") < (t."position", t."key");
update "tagging_tags" set "key" = normalize("key", nfc) where "key" is not nfc normalized;

delete from "samples" s using "samples" newer
where s."event" = 'conversation.tagged' and newer."event" = s."event"
  and newer."conversation_id" = s."conversation_id"
  and (s."filter" is not nfc normalized or newer."filter" is not nfc normalized)
  and normalize(newer."filter", nfc) = normalize(s."filter", nfc)
  and (newer."occurred_at", newer."filter") > (s."occurred_at", s."filter");
update "samples" set "filter" = normalize("filter", nfc)
where "event" = 'conversation.tagged' and "filter" is not nfc normalized;

update "hooks" set "filter_key" = normalize("filter_key", nfc)
where "event" = 'conversation.tagged' and "filter_key" is not nfc normalized;

-- Events that are still to be matched with hooks.
update "events" e set "filter_values" = array(select normalize(value, nfc) from unnest(e."filter_values") as value)
where e."key" = 'conversation.tagged' and e."id" in (select "event_id" from "events_to_fan_out");
