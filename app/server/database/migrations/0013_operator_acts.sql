CREATE TABLE "operator_acts" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"by" text NOT NULL,
	"act" text NOT NULL,
	"subject" text,
	"arguments" jsonb NOT NULL,
	"outcome" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "exam_attempts" ADD COLUMN "excused_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "operator_acts_subject" ON "operator_acts" USING btree ("subject","at");--> statement-breakpoint
CREATE INDEX "operator_acts_at" ON "operator_acts" USING btree ("at");--> statement-breakpoint
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The table % is append-only.', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER "operator_acts_append_only" BEFORE UPDATE OR DELETE ON "operator_acts" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
