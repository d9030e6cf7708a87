ALTER TABLE "users" ALTER COLUMN "last_login_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "exam_attempts" ADD COLUMN "paused_seconds" integer DEFAULT 0 NOT NULL;