ALTER TABLE "certificates" DROP CONSTRAINT "certificates_id";--> statement-breakpoint
CREATE INDEX "certificates_id" ON "certificates" USING btree ("id");