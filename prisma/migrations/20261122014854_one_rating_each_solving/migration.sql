-- AlterTable
ALTER TABLE "ratings" ADD COLUMN     "resolved_at" TIMESTAMPTZ,
ADD COLUMN     "solved_conversation_id" UUID;

-- Ratings so far: the newest of a conversation is the one of its last solving. When earlier ones were solved is not known
-- any more: each stands for a solving of its own, at about the time it was given (a microsecond apart, so that none is lost).
update "ratings" r
set "solved_conversation_id" = r."conversation_id",
  "resolved_at" = case when numbered."age" = 1 then c."resolved_at"
    else r."created_at" + numbered."age" * interval '1 microsecond' end
from (
  select "id", row_number() over (partition by "conversation_id" order by "created_at" desc, "id" desc) as "age" from "ratings"
) numbered, "conversations" c
where numbered."id" = r."id" and c."id" = r."conversation_id";

ALTER TABLE "ratings" ALTER COLUMN "solved_conversation_id" SET NOT NULL;

-- AddForeignKey
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_workspace_id_solved_conversation_id_fkey" FOREIGN KEY ("workspace_id", "solved_conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema cannot say.

-- One rating each time that a conversation was solved, and one of a conversation that was closed without it.
create unique index "ratings_once_each_solving" on "ratings" ("solved_conversation_id", "resolved_at") nulls not distinct;
