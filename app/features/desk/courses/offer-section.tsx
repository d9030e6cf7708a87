import { Field } from '~/ui/form/field'
import { ActionForm, CollapsedActionForm } from '../desk-forms'
import { DetailList, Section } from '../desk-parts'
import type { CoursePageData } from './course-page.server'

type Offer = NonNullable<CoursePageData['offer']>

/**
 * Shows a course's offer, which is its publication and price, with the forms that change them. What
 * is set at the desk overrides the course's file, until somebody returns to the file.
 */
export function OfferSection({ offer }: { offer: Offer }) {
  const { published, isPublishedByDesk, isPricedByDesk } = offer
  // A form is refused if somebody else has changed its values meanwhile.
  const publicationValues = { fingerprint: offer.publicationFingerprint }
  const priceValues = { fingerprint: offer.priceFingerprint }
  const priceSource = isPricedByDesk ? 'set at the desk' : 'from the course’s file'

  return (
    <Section title="Publishing and price">
      <DetailList
        items={[
          ['State', describePublication(offer)],
          ['Price', `${offer.priceText} (${priceSource})`],
        ]}
      />
      <div className="mt-3 grid items-start gap-3 lg:grid-cols-2">
        {published ? (
          <CollapsedActionForm
            title="Withdraw the course"
            intent="withdraw"
            buttonText="Withdraw"
            variant="danger"
            hiddenValues={publicationValues}
          >
            <p className="text-muted">
              It disappears from every page, and no one can buy it any more. Learners who have it
              keep it.
            </p>
          </CollapsedActionForm>
        ) : (
          <CollapsedActionForm
            title="Publish the course"
            intent="publish"
            buttonText="Publish"
            variant="primary"
            hiddenValues={publicationValues}
          >
            <p className="text-muted">It is in the catalog and search within two seconds.</p>
          </CollapsedActionForm>
        )}
        <CollapsedActionForm
          title="Change the price"
          intent="price"
          buttonText="Save the price"
          variant="primary"
          hiddenValues={priceValues}
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
              intent="publish-as-file"
              buttonText="Publish as the course’s file says"
              hiddenValues={publicationValues}
            />
          )}
          {isPricedByDesk && (
            <ActionForm
              intent="price-as-file"
              buttonText="Price as the course’s file says"
              hiddenValues={priceValues}
            />
          )}
        </div>
      )}
    </Section>
  )
}

function describePublication({ published, isPublishedByDesk }: Offer): string {
  if (isPublishedByDesk) {
    return published ? 'Published at the desk' : 'Withdrawn at the desk'
  }

  return published
    ? 'Published, as the course’s file says'
    : 'Not published, as the course’s file says'
}
