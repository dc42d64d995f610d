-- CreateEnum
CREATE TYPE "after_solving" AS ENUM ('next', 'previous', 'list');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "after_solving" "after_solving" NOT NULL DEFAULT 'next';
