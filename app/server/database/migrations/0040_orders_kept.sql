CREATE TABLE "receipt_files" (
	"number" integer PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "failed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "receipt_files" ADD CONSTRAINT "receipt_files_number_receipts_number_fk" FOREIGN KEY ("number") REFERENCES "public"."receipts"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gifts_newest" ON "gifts" USING btree ("created_at","order_id");--> statement-breakpoint
CREATE INDEX "payment_events_failed" ON "payment_events" USING btree ("failed_at") WHERE failed_at is not null;--> statement-breakpoint
CREATE TRIGGER "receipt_files_are_frozen" BEFORE UPDATE ON "receipt_files" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
