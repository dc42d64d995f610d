-- AlterTable
ALTER TABLE "second_factors" ADD COLUMN     "trust_ended_at" TIMESTAMPTZ;
