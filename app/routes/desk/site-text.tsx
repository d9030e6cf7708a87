/**
 * /Desk/Site/Pages/:slug: the editor of a page of the site, such as the terms or a page of the
 * owner.
 */
import { useContext } from 'react'
import { Link } from 'react-router'
import { DeskContext, useSubmittedValues } from '~/features/desk/desk-context'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm, CollapsedActionForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle } from '~/features/desk/desk-parts'
import { requireDesk, requirePageData } from '~/features/desk/desk-request.server'
import { formatSeenVersion, UndoForm } from '~/features/desk/site/site-part-card'
import {
  loadSiteTextPage,
  renderSiteTextPreview,
  type SiteTextPageData,
  siteTextActions,
} from '~/features/desk/site/site-text-page.server'
import { SiteTextPreview } from '~/features/desk/site/site-text-preview'
import { Button } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { Field, TextAreaField } from '~/ui/form/field'
import type { Route } from './+types/site-text'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'manage site')
  return requirePageData(await loadSiteTextPage(desk))
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'manage site')
  return handleDeskForm(args.request, desk, siteTextActions, renderSiteTextPreview)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function SiteTextRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <SiteTextView {...loaderData} />
    </DeskPage>
  )
}

function SiteTextView(data: SiteTextPageData) {
  const { isNew, isFixed, hasOwnerText, publicPath, page, lastChange } = data
  const submittedValues = useSubmittedValues('page')

  return (
    <>
      <DeskTitle
        parentPage={{ to: '/Desk/Site', label: 'Site' }}
        side={
          (isFixed || hasOwnerText) && (
            <Link to={publicPath} className="link">
              See the page
            </Link>
          )
        }
      >
        {isNew ? 'New page' : page.title || publicPath}
      </DeskTitle>
      <SiteTextPreview title={submittedValues?.title ?? page.title} />
      <TextForm {...data} />
      {lastChange && <UndoForms {...data} lastChange={lastChange} />}
    </>
  )
}

/** Shows the form that writes the page. Only a new page has a field for its slug. */
function TextForm({ isNew, isFixed, page, lastChange, maxSlugLength }: SiteTextPageData) {
  const submittedValues = useSubmittedValues('page')
  const { fieldErrors } = useContext(DeskContext)

  return (
    <ActionForm
      intent="page"
      buttonText="Save"
      variant="primary"
      hiddenValues={{ seen: formatSeenVersion(lastChange) }}
      encType="multipart/form-data"
      extraButtons={
        <Button type="submit" name="preview" value="on" variant="secondary">
          Preview
        </Button>
      }
    >
      {isNew && (
        <Field
          label="Address"
          name="slug"
          defaultValue={submittedValues?.slug}
          required
          maxLength={maxSlugLength}
          error={fieldErrors?.slug}
          onInput={({ currentTarget }) => lowercaseInput(currentTarget)}
          hint="The part after /Pages/, like imprint or about. It can’t be changed later."
          autoComplete="off"
          autoCapitalize="none"
        />
      )}
      <Field
        label="Title"
        name="title"
        defaultValue={submittedValues?.title ?? page.title}
        required
        maxLength={80}
        autoComplete="off"
      />
      <TextAreaField
        label="Text"
        name="text"
        defaultValue={submittedValues?.text ?? page.text}
        required
        maxLength={100_000}
        rows={16}
        className="[&_textarea]:max-h-[70vh] [&_textarea]:min-h-96"
        hint="In Markdown: an empty line begins a paragraph, ## a heading, - a list, and [words](/AllCourses) is a link."
      />
      {!isFixed && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            name="footer"
            defaultChecked={submittedValues ? submittedValues.footer === 'on' : page.inFooter}
            className="size-5 shrink-0 accent-accent"
          />
          Link it in the footer
        </label>
      )}
    </ActionForm>
  )
}

/** Turns what is typed into lower case, and keeps the cursor where it is. */
function lowercaseInput(input: HTMLInputElement): void {
  const { selectionStart, selectionEnd, value } = input
  const lowercaseValue = value.toLowerCase()
  if (lowercaseValue !== value) {
    input.value = lowercaseValue
    input.setSelectionRange(selectionStart, selectionEnd)
  }
}

type UndoFormsProps = SiteTextPageData & {
  lastChange: NonNullable<SiteTextPageData['lastChange']>
}

/** Shows the form that undoes the last change, and the one that removes the owner's text. */
function UndoForms({ part, isFixed, hasOwnerText, page, lastChange }: UndoFormsProps) {
  return (
    <div className="mt-8 grid gap-5">
      <UndoForm part={part} name={page.title} lastChange={lastChange} />
      {hasOwnerText && (
        <CollapsedActionForm
          title={isFixed ? 'Go back to Learnify’s own text' : 'Remove this page'}
          intent="remove"
          buttonText={isFixed ? 'Go back' : 'Remove'}
          variant="danger"
          hiddenValues={{ seen: formatSeenVersion(lastChange) }}
        >
          <p className="text-muted">It can be undone.</p>
        </CollapsedActionForm>
      )}
    </div>
  )
}
