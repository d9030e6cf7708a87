CREATE TABLE "background_lease" (
	"id" integer PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"term" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
