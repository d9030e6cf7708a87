ALTER TABLE "search_segments" ADD COLUMN "outdated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "courses_popular" ON "courses" USING btree ("students" DESC NULLS FIRST,"id") WHERE published and in_catalogue;--> statement-breakpoint
CREATE INDEX "courses_popular_of_category" ON "courses" USING btree ("category","students" DESC NULLS FIRST,"id") WHERE published and in_catalogue;--> statement-breakpoint
CREATE INDEX "courses_skills" ON "courses" USING gin ("skills") WHERE published and in_catalogue;--> statement-breakpoint
CREATE INDEX "enrollments_course" ON "enrollments" USING btree ("course_id","enrolled_at");