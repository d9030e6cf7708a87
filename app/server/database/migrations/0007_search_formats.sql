ALTER TABLE "search_places" DROP CONSTRAINT "search_places_course";--> statement-breakpoint
ALTER TABLE "search_places" ADD CONSTRAINT "search_places_course" UNIQUE("course_id","segment");