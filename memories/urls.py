from django.urls import URLPattern, URLResolver, path

from memories.views import account, carrying, detail, editing, forgetting, listing, pages, privacy, waiting

app_name = "memories"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", listing.memory_list, name="list"),
    path("<int:number>/", detail.memory_detail, name="detail"),
    path("<int:number>/edit/", editing.memory_edit, name="edit"),
    path("<int:number>/confirm/", editing.confirm, name="confirm"),
    path("<int:number>/pause/", editing.set_aside, name="pause"),
    path("<int:number>/restore/", editing.bring_back, name="restore"),
    path("<int:number>/accept/", waiting.accept_one, name="accept"),
    path("<int:number>/reject/", waiting.reject_one, name="reject"),
    path("questions/<int:pk>/answer/", waiting.answer_one, name="answer"),
    path("waiting/", waiting.waiting_list, name="waiting"),
    path("pages/", pages.page_list, name="pages"),
    path("pages/<str:slug>/", pages.page_detail, name="page"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("privacy/time-zone/", privacy.time_zone, name="time-zone"),
    path("privacy/export/", carrying.export, name="export"),
    path("privacy/import/", carrying.bring, name="import"),
    path("privacy/account/", account.account_delete, name="account-delete"),
    path("forget/", forgetting.forget_view, name="forget"),
    path("forget/<int:pk>/answer/", forgetting.answer_proposal, name="answer-proposal"),
    path("deletions/ordered/<int:pk>/", forgetting.ordered, name="ordered"),
    path("deletions/<int:pk>/", forgetting.receipt, name="receipt"),
    path("deletions/<int:pk>/undo/", forgetting.undo, name="undo"),
]
