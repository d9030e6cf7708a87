-- The tables of version 1.0.0. They are the same as the tables that the 45 migrations of earlier, unreleased
-- versions made, and the journal gives this migration the time of the last of them. So a database that ran
-- the 45 migrations counts as having run this one.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;--> statement-breakpoint
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
	"uid" text,
	"kind" text NOT NULL,
	"former_address" text,
	"order_id" text,
	"about" text,
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
	"confirmed_at" timestamp with time zone DEFAULT now(),
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
	"last_login_at" timestamp with time zone DEFAULT now(),
	"wants_announcements" boolean DEFAULT true NOT NULL,
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
	"trouble" text,
	"counted" jsonb
);
--> statement-breakpoint
CREATE TABLE "background_lease" (
	"id" integer PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"term" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "last_backup" (
	"id" integer PRIMARY KEY NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"bytes" bigint NOT NULL
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
	"id" text,
	"name" text NOT NULL,
	"card" text,
	"courses" text,
	"icon" text NOT NULL,
	"catalogue" text,
	CONSTRAINT "categories_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "content_courses" (
	"course_id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"outline" jsonb NOT NULL
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
	"downloads" jsonb DEFAULT '[]' NOT NULL,
	"retired" boolean DEFAULT false NOT NULL,
	CONSTRAINT "course_lessons_course_id_id_pk" PRIMARY KEY("course_id","id")
);
--> statement-breakpoint
CREATE TABLE "course_offers" (
	"course_id" text PRIMARY KEY NOT NULL,
	"published" boolean,
	"price_minor" integer,
	"original_price_minor" integer,
	"price_until" date,
	"currency" text,
	"file" jsonb NOT NULL
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
	"price_until" date,
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
CREATE TABLE "home_courses" (
	"place" integer PRIMARY KEY NOT NULL,
	"course_id" text NOT NULL,
	CONSTRAINT "home_courses_course_id_unique" UNIQUE("course_id")
);
--> statement-breakpoint
CREATE TABLE "lesson_aliases" (
	"course_id" text NOT NULL,
	"alias" text NOT NULL,
	"lesson_id" text NOT NULL,
	CONSTRAINT "lesson_aliases_course_id_alias_pk" PRIMARY KEY("course_id","alias")
);
--> statement-breakpoint
CREATE TABLE "price_history" (
	"course_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"price_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"is_reduced" boolean DEFAULT false NOT NULL,
	CONSTRAINT "price_history_course_id_at_pk" PRIMARY KEY("course_id","at")
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
	"wording" integer DEFAULT 1 NOT NULL,
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
	CONSTRAINT "certificates_uid_course_id_pk" PRIMARY KEY("uid","course_id")
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"code" text PRIMARY KEY NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"percent" integer,
	"amount_minor" integer,
	"currency" text,
	"course_ids" text[],
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"max_uses" integer,
	"max_uses_per_learner" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "coupons_discount" CHECK (case when percent is null then amount_minor is not null and amount_minor > 0 and currency is not null else percent between 1 and 100 and amount_minor is null end)
);
--> statement-breakpoint
CREATE TABLE "desk_courses" (
	"course_id" text PRIMARY KEY NOT NULL,
	"learners" integer NOT NULL,
	"active" integer NOT NULL,
	"completed" integer NOT NULL,
	"certificates" integer NOT NULL,
	"revenue_minor" bigint NOT NULL,
	"lessons" jsonb NOT NULL,
	"stuck" text[] DEFAULT '{}' NOT NULL,
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
	"paused_seconds" integer DEFAULT 0 NOT NULL,
	"submitted_at" timestamp with time zone,
	"timed_out" boolean DEFAULT false NOT NULL,
	"excused_at" timestamp with time zone,
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
CREATE TABLE "gifts" (
	"order_id" text PRIMARY KEY NOT NULL,
	"uid" text,
	"code" text NOT NULL,
	"recipient_email" text,
	"sender_name" text NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"redeemed_by" text,
	"redeemed_at" timestamp with time zone,
	CONSTRAINT "gifts_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"import_id" text NOT NULL,
	"line" integer NOT NULL,
	"address" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"courses" text[] NOT NULL,
	"outcome" text,
	"problem" text,
	CONSTRAINT "import_rows_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" text PRIMARY KEY NOT NULL,
	"by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"file_name" text NOT NULL,
	"file" "bytea",
	"state" text DEFAULT 'checking' NOT NULL,
	"refusal" text,
	"ignored" text[] DEFAULT '{}' NOT NULL,
	"emails_per_minute" integer NOT NULL,
	"lines" integer DEFAULT 0 NOT NULL,
	"new_accounts" integer DEFAULT 0 NOT NULL,
	"enrollments" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"imported" integer DEFAULT 0 NOT NULL,
	"up_to" integer DEFAULT 0 NOT NULL,
	"finished_at" timestamp with time zone
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
	"uncelebrated" boolean DEFAULT false NOT NULL,
	"taken_at" timestamp with time zone,
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
	"by_order" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "operator_acts" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"by" text NOT NULL,
	"act" text NOT NULL,
	"subject" text,
	"arguments" jsonb NOT NULL,
	"changes" jsonb,
	"outcome" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"uid" text,
	"course_id" text NOT NULL,
	"course_title" text NOT NULL,
	"is_gift" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"currency" text NOT NULL,
	"list_minor" integer NOT NULL,
	"total_minor" integer NOT NULL,
	"coupon_code" text,
	"tax_basis_points" integer DEFAULT 0 NOT NULL,
	"buyer" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"waiver" text,
	"waived_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"order_id" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"provider" text NOT NULL,
	"state" text DEFAULT 'started' NOT NULL,
	"amount_minor" integer NOT NULL,
	"session_id" text,
	"url" text,
	"intent_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "receipt_counter" (
	"id" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipt_files" (
	"number" integer PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"number" integer PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"ledger_id" text NOT NULL,
	"document" jsonb NOT NULL,
	"issued_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"uid" text NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'stated' NOT NULL,
	"reason" text NOT NULL,
	"answer" text,
	"stated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"answered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"amount_minor" integer NOT NULL,
	"reason" text NOT NULL,
	"provider_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" integer NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"host" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"aaguid" text,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "practice_cards" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"question_id" text NOT NULL,
	"lesson_id" text,
	"stability" double precision NOT NULL,
	"difficulty" double precision NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_on" date NOT NULL,
	"due_on" date NOT NULL,
	"was_right" boolean,
	CONSTRAINT "practice_cards_uid_course_id_question_id_pk" PRIMARY KEY("uid","course_id","question_id")
);
--> statement-breakpoint
CREATE TABLE "study_plans" (
	"uid" text PRIMARY KEY NOT NULL,
	"weekdays" smallint[] NOT NULL,
	"reminder_hour" smallint,
	"reminded_at" timestamp with time zone,
	"look_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "product_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"changes" text[] DEFAULT '{}' NOT NULL,
	"maintenance" jsonb
);
--> statement-breakpoint
CREATE TABLE "review_reports" (
	"uid" text NOT NULL,
	"review_id" text NOT NULL,
	"reason" text NOT NULL,
	"comment" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "review_reports_uid_review_id_pk" PRIMARY KEY("uid","review_id")
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
	"hidden_reason" text,
	"removed_at" timestamp with time zone,
	"answer" text,
	"answered_at" timestamp with time zone,
	CONSTRAINT "reviews_uid_course_id_pk" PRIMARY KEY("uid","course_id"),
	CONSTRAINT "reviews_id" UNIQUE("id"),
	CONSTRAINT "reviews_rating" CHECK (rating between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "course_search" (
	"course_id" text PRIMARY KEY NOT NULL,
	"listed" boolean NOT NULL,
	"students" integer NOT NULL,
	"rating" real NOT NULL,
	"price_cents" integer NOT NULL,
	"updated" date NOT NULL,
	"category_step" smallint NOT NULL,
	"level_step" smallint NOT NULL,
	"rating_step" smallint NOT NULL,
	"length_step" smallint NOT NULL,
	"price_step" smallint NOT NULL,
	"language_step" smallint NOT NULL,
	"facets" integer NOT NULL,
	"instructor" text NOT NULL,
	"skills" text[] NOT NULL,
	"folded" text NOT NULL,
	"main" "tsvector" NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_categories" (
	"number" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "search_categories_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "search_languages" (
	"number" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"courses" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "search_languages_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "search_names" (
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"folded" text NOT NULL,
	"courses" integer NOT NULL,
	CONSTRAINT "search_names_kind_name_pk" PRIMARY KEY("kind","name")
);
--> statement-breakpoint
CREATE TABLE "search_synonyms" (
	"position" integer PRIMARY KEY NOT NULL,
	"phrases" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text collate "C" PRIMARY KEY NOT NULL,
	"stem" text collate "C",
	"courses" integer NOT NULL,
	"anywhere" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_events" (
	"uid" text NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"id" text NOT NULL,
	"way" text,
	"device" text,
	CONSTRAINT "security_events_uid_kind_at_id_pk" PRIMARY KEY("uid","kind","at","id")
);
--> statement-breakpoint
CREATE TABLE "security_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_pictures" (
	"name" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_versions" (
	"part" text NOT NULL,
	"version" integer NOT NULL,
	"value" jsonb,
	"by" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_versions_part_version_pk" PRIMARY KEY("part","version")
);
--> statement-breakpoint
CREATE TABLE "two_factor" (
	"uid" text NOT NULL,
	"secret" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"enabled_at" timestamp with time zone,
	"last_step" integer DEFAULT 0 NOT NULL,
	"recovery_hashes" text[] NOT NULL,
	"recovery_salt" text NOT NULL,
	CONSTRAINT "two_factor_uid_pk" PRIMARY KEY("uid")
);
--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_mails" ADD CONSTRAINT "announcement_mails_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_mails" ADD CONSTRAINT "announcement_mails_announcement_id_announcements_id_fk" FOREIGN KEY ("announcement_id") REFERENCES "public"."announcements"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_author_users_id_fk" FOREIGN KEY ("author") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_aliases" ADD CONSTRAINT "course_aliases_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_lessons" ADD CONSTRAINT "course_lessons_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_offers" ADD CONSTRAINT "course_offers_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_reviews" ADD CONSTRAINT "course_reviews_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_sections" ADD CONSTRAINT "course_sections_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "home_courses" ADD CONSTRAINT "home_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "lesson_aliases" ADD CONSTRAINT "lesson_aliases_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "price_history" ADD CONSTRAINT "price_history_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "certificate_register" ADD CONSTRAINT "certificate_register_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_id_certificate_register_id_fk" FOREIGN KEY ("id") REFERENCES "public"."certificate_register"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "desk_courses" ADD CONSTRAINT "desk_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "staff" ADD CONSTRAINT "staff_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_courses" ADD CONSTRAINT "staff_courses_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_courses" ADD CONSTRAINT "staff_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "exam_answers" ADD CONSTRAINT "exam_answers_attempt" FOREIGN KEY ("uid","attempt_id") REFERENCES "public"."exam_attempts"("uid","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exam_attempts" ADD CONSTRAINT "exam_attempts_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exam_attempts" ADD CONSTRAINT "exam_attempts_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "exams" ADD CONSTRAINT "exams_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_redeemed_by_users_id_fk" FOREIGN KEY ("redeemed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_coupon_code_coupons_code_fk" FOREIGN KEY ("coupon_code") REFERENCES "public"."coupons"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipt_files" ADD CONSTRAINT "receipt_files_number_receipts_number_fk" FOREIGN KEY ("number") REFERENCES "public"."receipts"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_ledger_id_ledger_id_fk" FOREIGN KEY ("ledger_id") REFERENCES "public"."ledger"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_cards" ADD CONSTRAINT "practice_cards_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_cards" ADD CONSTRAINT "practice_cards_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "practice_cards" ADD CONSTRAINT "practice_cards_lesson" FOREIGN KEY ("course_id","lesson_id") REFERENCES "public"."course_lessons"("course_id","id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "study_plans" ADD CONSTRAINT "study_plans_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_reports" ADD CONSTRAINT "review_reports_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_reports" ADD CONSTRAINT "review_reports_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "course_search" ADD CONSTRAINT "course_search_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_links" ADD CONSTRAINT "security_links_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identities_user_id" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_provider" ON "identities" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "outbox_next" ON "outbox" USING btree (("kind" = 'study-reminder'),"due_at");--> statement-breakpoint
CREATE INDEX "outbox_uid" ON "outbox" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_text" ON "users" USING gin (lower(email || ' ' || name) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "announcement_mails_state" ON "announcement_mails" USING btree ("announcement_id","state","at","uid");--> statement-breakpoint
CREATE INDEX "announcement_mails_claimed" ON "announcement_mails" USING btree ("at") WHERE "announcement_mails"."state" = 'claimed';--> statement-breakpoint
CREATE INDEX "announcement_mails_failed" ON "announcement_mails" USING btree ("uid") WHERE "announcement_mails"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "announcements_newest" ON "announcements" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "announcements_open" ON "announcements" USING btree ("due_at") WHERE "announcements"."state" in ('scheduled', 'sending');--> statement-breakpoint
CREATE INDEX "announcements_author" ON "announcements" USING btree ("author");--> statement-breakpoint
CREATE INDEX "build_files_used_at" ON "build_files" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "course_reviews_order" ON "course_reviews" USING btree ("course_id","position");--> statement-breakpoint
CREATE INDEX "courses_popular" ON "courses" USING btree ("students" DESC NULLS FIRST,"id") WHERE published and in_catalogue;--> statement-breakpoint
CREATE INDEX "courses_popular_of_category" ON "courses" USING btree ("category","students" DESC NULLS FIRST,"id") WHERE published and in_catalogue;--> statement-breakpoint
CREATE INDEX "courses_price_until" ON "courses" USING btree ("price_until") WHERE price_until is not null;--> statement-breakpoint
CREATE INDEX "courses_skills" ON "courses" USING gin ("skills") WHERE published and in_catalogue;--> statement-breakpoint
CREATE INDEX "certificates_id" ON "certificates" USING btree ("id");--> statement-breakpoint
CREATE INDEX "coupons_newest" ON "coupons" USING btree ("created_at","code");--> statement-breakpoint
CREATE INDEX "coupons_name" ON "coupons" USING btree ("name");--> statement-breakpoint
CREATE INDEX "exam_attempts_course" ON "exam_attempts" USING btree ("uid","course_id");--> statement-breakpoint
CREATE UNIQUE INDEX "exam_attempts_one_open" ON "exam_attempts" USING btree ("uid","course_id") WHERE submitted_at is null;--> statement-breakpoint
CREATE INDEX "exam_attempts_overdue" ON "exam_attempts" USING btree ("deadline_at") WHERE submitted_at is null;--> statement-breakpoint
CREATE INDEX "gifts_of_giver" ON "gifts" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "gifts_redeemed" ON "gifts" USING btree ("redeemed_by");--> statement-breakpoint
CREATE INDEX "gifts_newest" ON "gifts" USING btree ("created_at","order_id");--> statement-breakpoint
CREATE INDEX "import_rows_problems" ON "import_rows" USING btree ("import_id","line") WHERE problem is not null;--> statement-breakpoint
CREATE INDEX "imports_newest" ON "imports" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "activities_newest" ON "activities" USING btree ("uid","at","id");--> statement-breakpoint
CREATE INDEX "activities_uncelebrated" ON "activities" USING btree ("uid") WHERE uncelebrated;--> statement-breakpoint
CREATE INDEX "enrollments_course" ON "enrollments" USING btree ("course_id","enrolled_at");--> statement-breakpoint
CREATE INDEX "enrollments_certificate_waits" ON "enrollments" USING btree ("uid") WHERE certificate_waits_since is not null;--> statement-breakpoint
CREATE INDEX "notes_course" ON "notes" USING btree ("uid","course_id");--> statement-breakpoint
CREATE INDEX "operator_acts_subject" ON "operator_acts" USING btree ("subject","at");--> statement-breakpoint
CREATE INDEX "operator_acts_by" ON "operator_acts" USING btree ("by","at");--> statement-breakpoint
CREATE INDEX "operator_acts_at" ON "operator_acts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "ledger_of_order" ON "ledger" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_one_open" ON "orders" USING btree ("uid","course_id","is_gift") WHERE state in ('open', 'processing');--> statement-breakpoint
CREATE INDEX "orders_of_learner" ON "orders" USING btree ("uid","created_at");--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_text" ON "orders" USING gin (lower(course_title) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_of_coupon" ON "orders" USING btree ("coupon_code") WHERE coupon_code is not null;--> statement-breakpoint
CREATE INDEX "payment_events_failed" ON "payment_events" USING btree ("failed_at") WHERE failed_at is not null;--> statement-breakpoint
CREATE INDEX "payments_of_order" ON "payments" USING btree ("order_id","attempt");--> statement-breakpoint
CREATE INDEX "payments_of_intent" ON "payments" USING btree ("intent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("order_id") WHERE state in ('started', 'processing');--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree ("checked_at") WHERE state in ('started', 'processing');--> statement-breakpoint
CREATE INDEX "receipts_of_order" ON "receipts" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "receipts_of_movement" ON "receipts" USING btree ("ledger_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_one_open" ON "refund_requests" USING btree ("order_id","kind") WHERE state in ('stated', 'asked');--> statement-breakpoint
CREATE INDEX "refund_requests_of_order" ON "refund_requests" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refund_requests_uid" ON "refund_requests" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "refund_requests_asked" ON "refund_requests" USING btree ("stated_at") WHERE state = 'asked';--> statement-breakpoint
CREATE INDEX "refunds_of_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_unsettled" ON "refunds" USING btree ("created_at") WHERE state in ('requested', 'pending');--> statement-breakpoint
CREATE INDEX "passkeys_user_id" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "practice_cards_due" ON "practice_cards" USING btree ("uid","due_on");--> statement-breakpoint
CREATE INDEX "study_plans_look_at" ON "study_plans" USING btree ("look_at") WHERE look_at is not null;--> statement-breakpoint
CREATE INDEX "review_reports_open" ON "review_reports" USING btree ("review_id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "review_votes_review" ON "review_votes" USING btree ("course_id","review_id");--> statement-breakpoint
CREATE INDEX "reviews_newest" ON "reviews" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_of_course" ON "reviews" USING btree ("course_id","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("course_id","rating") WHERE hidden_at is null;--> statement-breakpoint
CREATE INDEX "course_search_folded" ON "course_search" USING gin ("folded" gin_trgm_ops) WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "course_search_main" ON "course_search" USING gin ("main") WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "course_search_words" ON "course_search" USING gin ("words") WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "course_search_skills" ON "course_search" USING gin ("skills") WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "course_search_instructor" ON "course_search" USING btree ("instructor");--> statement-breakpoint
CREATE INDEX "course_search_facets" ON "course_search" USING btree ("facets") WHERE listed;--> statement-breakpoint
CREATE INDEX "course_search_students" ON "course_search" USING btree ("students","course_id");--> statement-breakpoint
CREATE INDEX "course_search_rated" ON "course_search" USING btree ("rating","students","course_id");--> statement-breakpoint
CREATE INDEX "course_search_newest" ON "course_search" USING btree ("updated","students","course_id");--> statement-breakpoint
CREATE INDEX "course_search_cheapest" ON "course_search" USING btree ((-price_cents),"students","course_id");--> statement-breakpoint
CREATE INDEX "course_search_dearest" ON "course_search" USING btree ("price_cents","students","course_id");--> statement-breakpoint
CREATE INDEX "search_names_common" ON "search_names" USING btree ("kind","courses");--> statement-breakpoint
CREATE INDEX "search_names_folded" ON "search_names" USING gin ("folded" gin_trgm_ops) WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "search_words_stem" ON "search_words" USING btree ("stem");--> statement-breakpoint
CREATE INDEX "search_words_pieces" ON "search_words" USING gin ("word" gin_trgm_ops) WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "security_events_at" ON "security_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "security_links_uid" ON "security_links" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "security_links_expires_at" ON "security_links" USING btree ("expires_at");--> statement-breakpoint
CREATE VIEW "public"."counting_lessons" AS (
  select course_id, id, title, position, duration_seconds from course_lessons where kind <> 'announced' and not retired);--> statement-breakpoint
CREATE VIEW "public"."course_progress" AS (
  select e.uid, e.course_id, l.* from enrollments e cross join lateral (
    select count(*)::int as total_lessons, count(*) filter (where p.done)::int as done_lessons,
      coalesce(sum(l.duration_seconds), 0)::int as total_seconds,
      coalesce(sum(l.duration_seconds) filter (where p.done), 0)::int as done_seconds
    from counting_lessons l
    left join lesson_progress p on p.uid = e.uid and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = e.course_id) l);--> statement-breakpoint
-- Ledger, receipts and audit log can only grow.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The table % is append-only.', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER "operator_acts_append_only" BEFORE UPDATE OR DELETE ON "operator_acts" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "ledger_append_only" BEFORE UPDATE OR DELETE ON "ledger" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "receipts_are_kept" BEFORE DELETE ON "receipts" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
-- The deletion of an account takes the person out of its receipts.
CREATE TRIGGER "receipts_are_frozen" BEFORE UPDATE ON "receipts" FOR EACH ROW
	WHEN ((NEW.number, NEW.order_id, NEW.ledger_id, NEW.issued_at, NEW.document - 'buyer')
		IS DISTINCT FROM (OLD.number, OLD.order_id, OLD.ledger_id, OLD.issued_at, OLD.document - 'buyer'))
	EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "receipt_files_are_frozen" BEFORE UPDATE ON "receipt_files" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
