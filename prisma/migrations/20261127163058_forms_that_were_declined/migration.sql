-- AlterTable
ALTER TABLE "email_forms" ADD COLUMN     "is_form" BOOLEAN NOT NULL DEFAULT true;
