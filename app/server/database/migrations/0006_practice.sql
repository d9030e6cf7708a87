CREATE TABLE "practice_cards" (
	"uid" text NOT NULL,
	"course_id" text NOT NULL,
	"question_id" text NOT NULL,
	"lesson_id" text,
	"stability" double precision NOT NULL,
	"difficulty" double precision NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_on" date NOT NULL,
	"due_on" date NOT NULL,
	"was_right" boolean,
	CONSTRAINT "practice_cards_uid_course_id_question_id_pk" PRIMARY KEY("uid","course_id","question_id")
);
--> statement-breakpoint
CREATE TABLE "study_plans" (
	"uid" text PRIMARY KEY NOT NULL,
	"weekdays" smallint[] NOT NULL,
	"reminder_hour" smallint,
	"reminded_at" timestamp with time zone,
	"look_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "practice_cards" ADD CONSTRAINT "practice_cards_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_cards" ADD CONSTRAINT "practice_cards_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "practice_cards" ADD CONSTRAINT "practice_cards_lesson" FOREIGN KEY ("course_id","lesson_id") REFERENCES "public"."course_lessons"("course_id","id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "study_plans" ADD CONSTRAINT "study_plans_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "practice_cards_due" ON "practice_cards" USING btree ("uid","due_on");--> statement-breakpoint
CREATE INDEX "study_plans_look_at" ON "study_plans" USING btree ("look_at") WHERE look_at is not null;