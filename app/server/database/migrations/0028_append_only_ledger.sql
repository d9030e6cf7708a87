CREATE TRIGGER "ledger_append_only" BEFORE UPDATE OR DELETE ON "ledger" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "receipts_are_kept" BEFORE DELETE ON "receipts" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
-- The deletion of an account takes the person out of its receipts.
CREATE TRIGGER "receipts_are_frozen" BEFORE UPDATE ON "receipts" FOR EACH ROW
	WHEN ((NEW.number, NEW.order_id, NEW.ledger_id, NEW.issued_at, NEW.document - 'buyer')
		IS DISTINCT FROM (OLD.number, OLD.order_id, OLD.ledger_id, OLD.issued_at, OLD.document - 'buyer'))
	EXECUTE FUNCTION "refuse_change"();
