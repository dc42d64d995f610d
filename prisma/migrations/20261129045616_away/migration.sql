-- AlterTable
ALTER TABLE "members" ADD COLUMN     "away_since" TIMESTAMPTZ,
ADD COLUMN     "away_until" TIMESTAMPTZ;

alter table "members" add constraint "members_away" check ("away_until" is null or "away_since" is not null);
