-- Forwards have a send status too.
alter table "messages" drop constraint "messages_only_outbound_is_sent";
alter table "messages" add constraint "messages_only_outbound_is_sent" check ("direction" <> 'inbound' or "send_status" is null);
