CREATE INDEX "operator_acts_by" ON "operator_acts" USING btree ("by","at");--> statement-breakpoint
CREATE INDEX "orders_text" ON "orders" USING gin (lower(course_title) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "reviews_of_course" ON "reviews" USING btree ("course_id","created_at","id");