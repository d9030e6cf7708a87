import type { CoursePageData } from '~/features/desk/courses/course-page.server'
import { Field } from '~/ui/form/field'
import { ActionForm, CollapsedActionForm, Facts, Section } from '../desk-parts'

type Offer = NonNullable<CoursePageData['offer']>

/**
 * Shows forms that publish, withdraw and price a course. What is set at the desk overrides the
 * course's file, until somebody returns to the file.
 */
export function OfferSection({ offer }: { offer: Offer }) {
  const { published, isPublishedByDesk, isPricedByDesk, text, shown, shownPrice } = offer
  const statusValues = { shown }
  const priceValues = { shownPrice }
  const priceSource = isPricedByDesk ? 'set at the desk' : 'from the course’s file'

  return (
    <Section title="Publishing and price">
      <Facts
        facts={[
          ['State', describeStatus(offer)],
          ['Price', `${text} (${priceSource})`],
        ]}
      />
      <div className="mt-3 grid items-start gap-3 lg:grid-cols-2">
        {published ? (
          <CollapsedActionForm
            name="Withdraw the course"
            act="withdraw"
            button="Withdraw"
            variant="danger"
            values={statusValues}
          >
            <p className="text-muted">
              It disappears from every page, and no one can buy it any more. Learners who have it
              keep it.
            </p>
          </CollapsedActionForm>
        ) : (
          <CollapsedActionForm
            name="Publish the course"
            act="publish"
            button="Publish"
            variant="primary"
            values={statusValues}
          >
            <p className="text-muted">It is in the catalog and search within two seconds.</p>
          </CollapsedActionForm>
        )}
        <CollapsedActionForm
          name="Change the price"
          act="price"
          button="Save the price"
          variant="primary"
          values={priceValues}
        >
          <Field
            label={`Full price (${offer.currency})`}
            name="price"
            required
            inputMode="decimal"
            autoComplete="off"
            defaultValue={offer.price}
            hint="0 is free."
          />
          <Field
            label={`Sale price (${offer.currency})`}
            name="sale"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={offer.sale}
            hint="Leave it empty if there’s no sale. The full price is shown beside it."
          />
          <Field
            label="Last day of the sale"
            name="until"
            type="date"
            defaultValue={offer.until}
            hint="The sale lasts until that day has ended everywhere. After that, the full price applies."
          />
        </CollapsedActionForm>
      </div>
      {(isPublishedByDesk || isPricedByDesk) && (
        <div className="mt-3 flex flex-wrap gap-3">
          {isPublishedByDesk && (
            <ActionForm
              act="publish-as-file"
              button="Publish as the course’s file says"
              values={statusValues}
            />
          )}
          {isPricedByDesk && (
            <ActionForm
              act="price-as-file"
              button="Price as the course’s file says"
              values={priceValues}
            />
          )}
        </div>
      )}
    </Section>
  )
}

function describeStatus({ published, isPublishedByDesk }: Offer): string {
  if (isPublishedByDesk) {
    return published ? 'Published at the desk' : 'Withdrawn at the desk'
  }

  return published
    ? 'Published, as the course’s file says'
    : 'Not published, as the course’s file says'
}
