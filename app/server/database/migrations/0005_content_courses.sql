CREATE TABLE "content_courses" (
	"course_id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"outline" jsonb NOT NULL
);
