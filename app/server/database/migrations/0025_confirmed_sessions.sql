ALTER TABLE "sessions" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
-- Not with the column: sessions from before aren't confirmed.
ALTER TABLE "sessions" ALTER COLUMN "confirmed_at" SET DEFAULT now();
