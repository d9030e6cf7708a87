CREATE TABLE "desk_courses" (
	"course_id" text PRIMARY KEY NOT NULL,
	"learners" integer NOT NULL,
	"active" integer NOT NULL,
	"completed" integer NOT NULL,
	"certificates" integer NOT NULL,
	"revenue_minor" bigint NOT NULL,
	"lessons" jsonb NOT NULL,
	"questions" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_figures" (
	"id" integer PRIMARY KEY NOT NULL,
	"counted_at" timestamp with time zone NOT NULL,
	"days" jsonb NOT NULL,
	"active_now" integer NOT NULL,
	"active_before" integer NOT NULL,
	"learners" integer NOT NULL,
	"order_problems" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"uid" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"sees_addresses" boolean DEFAULT false NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_courses" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	CONSTRAINT "staff_courses_uid_course_id_pk" PRIMARY KEY("uid","course_id")
);
--> statement-breakpoint
ALTER TABLE "desk_courses" ADD CONSTRAINT "desk_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "staff" ADD CONSTRAINT "staff_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_courses" ADD CONSTRAINT "staff_courses_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_courses" ADD CONSTRAINT "staff_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_text" ON "users" USING gin (lower(email || ' ' || name) gin_trgm_ops);