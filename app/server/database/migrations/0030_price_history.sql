CREATE TABLE "price_history" (
	"course_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"price_minor" integer NOT NULL,
	"currency" text NOT NULL,
	CONSTRAINT "price_history_course_id_at_pk" PRIMARY KEY("course_id","at")
);
--> statement-breakpoint
ALTER TABLE "courses" ADD COLUMN "price_until" date;--> statement-breakpoint
ALTER TABLE "price_history" ADD CONSTRAINT "price_history_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "courses_price_until" ON "courses" USING btree ("price_until") WHERE price_until is not null;