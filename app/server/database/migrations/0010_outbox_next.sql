DROP INDEX "outbox_due_at";--> statement-breakpoint
CREATE INDEX "outbox_next" ON "outbox" USING btree (("kind" = 'study-reminder'),"due_at");