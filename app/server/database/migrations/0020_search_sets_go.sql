DROP TABLE "search_places" CASCADE;--> statement-breakpoint
DROP TABLE "search_segments" CASCADE;--> statement-breakpoint
DROP TABLE "search_sets" CASCADE;--> statement-breakpoint
ALTER TABLE "courses" DROP COLUMN "sample";