ALTER TABLE "desk_courses" DROP CONSTRAINT "desk_courses_course_id_courses_id_fk";
--> statement-breakpoint
ALTER TABLE "staff_courses" DROP CONSTRAINT "staff_courses_course_id_courses_id_fk";
--> statement-breakpoint
ALTER TABLE "price_history" ADD COLUMN "is_reduced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "desk_courses" ADD CONSTRAINT "desk_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "staff_courses" ADD CONSTRAINT "staff_courses_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;