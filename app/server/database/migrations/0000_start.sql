CREATE TABLE "identities" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"account_id" text NOT NULL,
	"password" text,
	"proven" boolean DEFAULT false NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"give_up_at" timestamp with time zone NOT NULL,
	"failed_at" timestamp with time zone,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"started_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"impersonated_by" text,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"email_verified_at" timestamp with time zone,
	"image" text,
	"provider" text DEFAULT 'email' NOT NULL,
	"phone" text,
	"location" text,
	"timezone" text,
	"detected_timezone" text,
	"display_timezone" text GENERATED ALWAYS AS (coalesce(timezone, detected_timezone, 'UTC')) STORED NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_login_at" timestamp with time zone DEFAULT now() NOT NULL,
	"role" text DEFAULT 'learner' NOT NULL,
	"banned" boolean DEFAULT false NOT NULL,
	"ban_reason" text,
	"ban_expires" timestamp with time zone,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "build_files" (
	"name" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"position" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"courses" text NOT NULL,
	"icon" text NOT NULL,
	"catalogue" text
);
--> statement-breakpoint
CREATE TABLE "content_history" (
	"hash" text PRIMARY KEY NOT NULL,
	"loaded_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"migrations" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_aliases" (
	"alias" text PRIMARY KEY NOT NULL,
	"course_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_lessons" (
	"course_id" text NOT NULL,
	"id" text NOT NULL,
	"section_id" text NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"kind" text NOT NULL,
	"duration_seconds" integer NOT NULL,
	"preview" boolean NOT NULL,
	"video" text,
	"article" text,
	"questions" jsonb,
	"retired" boolean DEFAULT false NOT NULL,
	CONSTRAINT "course_lessons_course_id_id_pk" PRIMARY KEY("course_id","id")
);
--> statement-breakpoint
CREATE TABLE "course_reviews" (
	"course_id" text NOT NULL,
	"id" text NOT NULL,
	"position" integer NOT NULL,
	"name" text,
	"rating" integer NOT NULL,
	"date" date,
	"comment" text,
	"helpful" integer NOT NULL,
	CONSTRAINT "course_reviews_course_id_id_pk" PRIMARY KEY("course_id","id")
);
--> statement-breakpoint
CREATE TABLE "course_sections" (
	"course_id" text NOT NULL,
	"id" text NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"lectures" integer NOT NULL,
	"duration_minutes" integer NOT NULL,
	CONSTRAINT "course_sections_course_id_id_pk" PRIMARY KEY("course_id","id")
);
--> statement-breakpoint
CREATE TABLE "courses" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"subtitle" text NOT NULL,
	"summary" text NOT NULL,
	"description" text NOT NULL,
	"category" text NOT NULL,
	"level" text NOT NULL,
	"language" text NOT NULL,
	"in_catalogue" boolean NOT NULL,
	"published" boolean NOT NULL,
	"price_cents" integer NOT NULL,
	"original_price_cents" integer NOT NULL,
	"duration_hours" numeric NOT NULL,
	"lectures" integer NOT NULL,
	"downloadable_resources" integer NOT NULL,
	"students" integer NOT NULL,
	"rating" numeric(2, 1) NOT NULL,
	"reviews" integer NOT NULL,
	"last_updated" date NOT NULL,
	"instructor_name" text NOT NULL,
	"instructor" jsonb NOT NULL,
	"skills" text[] NOT NULL,
	"requirements" text[] NOT NULL,
	"what_you_learn" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lesson_aliases" (
	"course_id" text NOT NULL,
	"alias" text NOT NULL,
	"lesson_id" text NOT NULL,
	CONSTRAINT "lesson_aliases_course_id_alias_pk" PRIMARY KEY("course_id","alias")
);
--> statement-breakpoint
CREATE TABLE "testimonials" (
	"position" integer PRIMARY KEY NOT NULL,
	"rating" integer NOT NULL,
	"text" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificate_register" (
	"id" text PRIMARY KEY NOT NULL,
	"course_id" text NOT NULL,
	"course_title" text NOT NULL,
	"lessons" integer NOT NULL,
	"material_seconds" integer NOT NULL,
	"exam_score" integer NOT NULL,
	"exam_max_score" integer NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"status_list" integer NOT NULL,
	"status_index" integer NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_reason" text,
	"replaced_by" text,
	CONSTRAINT "certificate_register_status" UNIQUE("status_list","status_index")
);
--> statement-breakpoint
CREATE TABLE "certificates" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"id" text NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"learner_name" text NOT NULL,
	"shows_name" boolean DEFAULT true NOT NULL,
	CONSTRAINT "certificates_uid_course_id_pk" PRIMARY KEY("uid","course_id"),
	CONSTRAINT "certificates_id" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "exam_answers" (
	"uid" text NOT NULL,
	"attempt_id" text NOT NULL,
	"question_id" text NOT NULL,
	"answer" jsonb,
	"revision" integer NOT NULL,
	"answered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "exam_answers_uid_attempt_id_question_id_pk" PRIMARY KEY("uid","attempt_id","question_id")
);
--> statement-breakpoint
CREATE TABLE "exam_attempts" (
	"uid" text NOT NULL,
	"id" text NOT NULL,
	"course_id" text NOT NULL,
	"title" text NOT NULL,
	"paper" jsonb DEFAULT '[]' NOT NULL,
	"pass_percent" integer DEFAULT 60 NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deadline_at" timestamp with time zone,
	"submitted_at" timestamp with time zone,
	"timed_out" boolean DEFAULT false NOT NULL,
	"score" integer,
	"max_score" integer NOT NULL,
	"percent" integer GENERATED ALWAYS AS (case when max_score > 0 then score * 100 / max_score else 0 end) STORED,
	"passed" boolean GENERATED ALWAYS AS (coalesce(score * 100 >= max_score * pass_percent, false)) STORED NOT NULL,
	CONSTRAINT "exam_attempts_uid_id_pk" PRIMARY KEY("uid","id")
);
--> statement-breakpoint
CREATE TABLE "exams" (
	"course_id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"draw" integer NOT NULL,
	"time_limit_minutes" integer NOT NULL,
	"max_attempts" integer NOT NULL,
	"attempts_within_days" integer,
	"minutes_between_attempts" integer DEFAULT 10 NOT NULL,
	"pass_percent" integer NOT NULL,
	"questions" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "achievements" (
	"uid" text NOT NULL,
	"achievement_id" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "achievements_uid_achievement_id_pk" PRIMARY KEY("uid","achievement_id")
);
--> statement-breakpoint
CREATE TABLE "activities" (
	"uid" text NOT NULL,
	"id" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"type" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "activities_uid_id_pk" PRIMARY KEY("uid","id")
);
--> statement-breakpoint
CREATE TABLE "bookmarks" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"lesson_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bookmarks_uid_course_id_lesson_id_pk" PRIMARY KEY("uid","course_id","lesson_id")
);
--> statement-breakpoint
CREATE TABLE "enrollments" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"enrolled_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_accessed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp with time zone,
	"certificate_waits_since" timestamp with time zone,
	CONSTRAINT "enrollments_uid_course_id_pk" PRIMARY KEY("uid","course_id")
);
--> statement-breakpoint
CREATE TABLE "lesson_progress" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"lesson_id" text NOT NULL,
	"watched_ms" "int4multirange" DEFAULT '{}' NOT NULL,
	"position_ms" integer DEFAULT 0 NOT NULL,
	"position_at" timestamp with time zone,
	"answered" text[] DEFAULT '{}' NOT NULL,
	"read_to_end" boolean DEFAULT false NOT NULL,
	"earned_at" timestamp with time zone,
	"mark" text,
	"marked_at" timestamp with time zone,
	"done" boolean GENERATED ALWAYS AS (coalesce(mark = 'done', earned_at is not null)) STORED NOT NULL,
	CONSTRAINT "lesson_progress_uid_course_id_lesson_id_pk" PRIMARY KEY("uid","course_id","lesson_id")
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"uid" text NOT NULL,
	"id" text NOT NULL,
	"course_id" text NOT NULL,
	"lesson_id" text NOT NULL,
	"position_ms" integer DEFAULT 0 NOT NULL,
	"body" text NOT NULL,
	"html" text NOT NULL,
	"rendering" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notes_uid_id_pk" PRIMARY KEY("uid","id")
);
--> statement-breakpoint
CREATE TABLE "study_days" (
	"uid" text NOT NULL,
	"day" date NOT NULL,
	"studied" "tstzmultirange" NOT NULL,
	CONSTRAINT "study_days_uid_day_pk" PRIMARY KEY("uid","day")
);
--> statement-breakpoint
CREATE TABLE "wishes" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wishes_uid_course_id_pk" PRIMARY KEY("uid","course_id")
);
--> statement-breakpoint
CREATE TABLE "review_votes" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"review_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_votes_uid_course_id_review_id_pk" PRIMARY KEY("uid","course_id","review_id")
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"id" text NOT NULL,
	"rating" integer NOT NULL,
	"comment" text,
	"shows_name" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"hidden_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	CONSTRAINT "reviews_uid_course_id_pk" PRIMARY KEY("uid","course_id"),
	CONSTRAINT "reviews_id" UNIQUE("id"),
	CONSTRAINT "reviews_rating" CHECK (rating between 1 and 5)
);
--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_aliases" ADD CONSTRAINT "course_aliases_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_lessons" ADD CONSTRAINT "course_lessons_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_reviews" ADD CONSTRAINT "course_reviews_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_sections" ADD CONSTRAINT "course_sections_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "lesson_aliases" ADD CONSTRAINT "lesson_aliases_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "certificate_register" ADD CONSTRAINT "certificate_register_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_id_certificate_register_id_fk" FOREIGN KEY ("id") REFERENCES "public"."certificate_register"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exam_answers" ADD CONSTRAINT "exam_answers_attempt" FOREIGN KEY ("uid","attempt_id") REFERENCES "public"."exam_attempts"("uid","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exam_attempts" ADD CONSTRAINT "exam_attempts_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exam_attempts" ADD CONSTRAINT "exam_attempts_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "exams" ADD CONSTRAINT "exams_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "achievements" ADD CONSTRAINT "achievements_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookmarks" ADD CONSTRAINT "bookmarks_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookmarks" ADD CONSTRAINT "bookmarks_lesson" FOREIGN KEY ("course_id","lesson_id") REFERENCES "public"."course_lessons"("course_id","id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD CONSTRAINT "lesson_progress_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lesson_progress" ADD CONSTRAINT "lesson_progress_lesson" FOREIGN KEY ("course_id","lesson_id") REFERENCES "public"."course_lessons"("course_id","id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_lesson" FOREIGN KEY ("course_id","lesson_id") REFERENCES "public"."course_lessons"("course_id","id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "study_days" ADD CONSTRAINT "study_days_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wishes" ADD CONSTRAINT "wishes_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wishes" ADD CONSTRAINT "wishes_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "identities_user_id" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_provider" ON "identities" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "outbox_due_at" ON "outbox" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "outbox_uid" ON "outbox" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "build_files_used_at" ON "build_files" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "course_reviews_order" ON "course_reviews" USING btree ("course_id","position");--> statement-breakpoint
CREATE INDEX "exam_attempts_course" ON "exam_attempts" USING btree ("uid","course_id");--> statement-breakpoint
CREATE UNIQUE INDEX "exam_attempts_one_open" ON "exam_attempts" USING btree ("uid","course_id") WHERE submitted_at is null;--> statement-breakpoint
CREATE INDEX "exam_attempts_overdue" ON "exam_attempts" USING btree ("deadline_at") WHERE submitted_at is null;--> statement-breakpoint
CREATE INDEX "activities_newest" ON "activities" USING btree ("uid","at","id");--> statement-breakpoint
CREATE INDEX "enrollments_certificate_waits" ON "enrollments" USING btree ("uid") WHERE certificate_waits_since is not null;--> statement-breakpoint
CREATE INDEX "notes_course" ON "notes" USING btree ("uid","course_id");--> statement-breakpoint
CREATE INDEX "review_votes_review" ON "review_votes" USING btree ("course_id","review_id");--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("course_id","rating") WHERE hidden_at is null;--> statement-breakpoint
CREATE VIEW "public"."counting_lessons" AS (
  select course_id, id, title, position, duration_seconds from course_lessons where kind <> 'announced' and not retired);--> statement-breakpoint
CREATE VIEW "public"."course_progress" AS (
  select e.uid, e.course_id, l.* from enrollments e cross join lateral (
    select count(*)::int as total_lessons, count(*) filter (where p.done)::int as done_lessons,
      coalesce(sum(l.duration_seconds), 0)::int as total_seconds,
      coalesce(sum(l.duration_seconds) filter (where p.done), 0)::int as done_seconds
    from counting_lessons l
    left join lesson_progress p on p.uid = e.uid and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = e.course_id) l);