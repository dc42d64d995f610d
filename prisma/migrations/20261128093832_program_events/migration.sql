-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "api_token_id" UUID;

-- Events that only programs get. Existing rows have the keys of before, so they need no check.
alter table "events" drop constraint "events_key";
alter table "events" add constraint "events_key" check ("key" in (
  'conversation.created', 'conversation.status_changed', 'conversation.assigned', 'conversation.tagged',
  'conversation.rated', 'message.received', 'contact.created', 'operator.command',
  'conversation.unassigned', 'conversation.tag_removed', 'conversation.merged', 'conversation.deleted',
  'reply.sent', 'reply.failed', 'note.added', 'contact.updated', 'contact.merged')) not valid;
