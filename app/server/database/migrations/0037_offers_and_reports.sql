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
CREATE TABLE "home_courses" (
	"place" integer PRIMARY KEY NOT NULL,
	"course_id" text NOT NULL,
	CONSTRAINT "home_courses_course_id_unique" UNIQUE("course_id")
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
ALTER TABLE "operator_acts" ADD COLUMN "changes" jsonb;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "course_offers" ADD CONSTRAINT "course_offers_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "home_courses" ADD CONSTRAINT "home_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "review_reports" ADD CONSTRAINT "review_reports_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_reports" ADD CONSTRAINT "review_reports_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_reports_open" ON "review_reports" USING btree ("review_id") WHERE closed_at is null;