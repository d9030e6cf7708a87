CREATE TABLE "announcement_mails" (
	"uid" text NOT NULL,
	"announcement_id" text NOT NULL,
	"state" text DEFAULT 'due' NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"reason" text,
	CONSTRAINT "announcement_mails_uid_announcement_id_pk" PRIMARY KEY("uid","announcement_id")
);
--> statement-breakpoint
CREATE TABLE "announcements" (
	"id" text PRIMARY KEY NOT NULL,
	"author" text,
	"course_id" text,
	"audience" text NOT NULL,
	"away_days" integer,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"trouble" text
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "wants_announcements" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "announcement_mails" ADD CONSTRAINT "announcement_mails_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_mails" ADD CONSTRAINT "announcement_mails_announcement_id_announcements_id_fk" FOREIGN KEY ("announcement_id") REFERENCES "public"."announcements"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_author_users_id_fk" FOREIGN KEY ("author") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "announcement_mails_state" ON "announcement_mails" USING btree ("announcement_id","state","at","uid");--> statement-breakpoint
CREATE INDEX "announcement_mails_claimed" ON "announcement_mails" USING btree ("at") WHERE "announcement_mails"."state" = 'claimed';--> statement-breakpoint
CREATE INDEX "announcement_mails_failed" ON "announcement_mails" USING btree ("uid") WHERE "announcement_mails"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "announcements_newest" ON "announcements" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "announcements_open" ON "announcements" USING btree ("due_at") WHERE "announcements"."state" in ('scheduled', 'sending');--> statement-breakpoint
CREATE INDEX "announcements_author" ON "announcements" USING btree ("author");