CREATE TABLE "last_backup" (
	"id" integer PRIMARY KEY NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"bytes" bigint NOT NULL
);
