-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "program_name" TEXT;

-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "program_name" TEXT;
