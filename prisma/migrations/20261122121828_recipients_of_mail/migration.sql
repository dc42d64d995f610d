-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "mail_to" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- What strangers write into the headers of a mail is bounded; rows of before are, too, and need not be read for that.
alter table "messages" add constraint "messages_recipients_bounded" check (
  cardinality("mail_to") <= 50 and cardinality("cc") <= 50 and cardinality("bcc") <= 50
) not valid;
