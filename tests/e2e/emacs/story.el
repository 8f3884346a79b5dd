;;; story.el --- The whole story in Emacs with eglot  -*- lexical-binding: t -*-
;;   MAXCODE_RECIPE=recipe.el MAXCODE_FILE=slow.cpp emacs --batch -l story.el
;; Ends with 0 and "story: done" when everything was seen; else says what was not.
(require 'cl-lib)
(require 'eglot)

(defconst limit-s 240)
(defvar told nil "All messages, the newest first.")
(defvar asked nil "All questions, the newest first.")
(defvar edits-are-welcome nil)

(defun say (&rest words) (princ (concat (mapconcat #'identity words " ") "\n")))

(defun wait (what condition)
  "Wait until CONDITION holds, and say WHAT was seen."
  (let ((until (+ (float-time) limit-s)) seen)
    (while (not (or (setq seen (funcall condition)) (> (float-time) until)))
      (accept-process-output nil 0.1))
    (unless seen (error "waited in vain for %s" what))
    (say "seen:" what)
    seen))

(defun said-p (words) (cl-some (lambda (one) (string-match-p (regexp-quote words) one)) told))

(advice-add 'message :before
            (lambda (&optional shape &rest things) (when shape (push (apply #'format-message shape things) told))))
(advice-add 'y-or-n-p :override
            (lambda (question) (push question asked) edits-are-welcome))
(advice-add 'completing-read :override
            (lambda (question choices &rest _)
              (push question asked)
              (let ((titles (mapcar (lambda (choice) (if (consp choice) (car choice) choice)) choices)))
                (or (cl-find-if (lambda (title) (string-match-p (regexp-quote wanted) title)) titles)
                    (error "there is no %s among %s" wanted titles)))))
(defvar wanted "" "Words of what is chosen next.")

(defun request (method params) (jsonrpc-request (eglot--current-server-or-lose) method params :timeout 60))
(defun uri () (plist-get (eglot--TextDocumentIdentifier) :uri))
(defun latest ()
  (let ((runs (plist-get (request :maxcode/runs (list :uri (uri))) :runs)))
    (and (> (length runs) 0) (aref runs 0))))
(defun status () (plist-get (latest) :status))
(defun titles () (mapcar (lambda (action) (plist-get action :title)) (eglot-code-actions (point) (point))))

(defun choose (words)
  "Do the code action that has WORDS in its title, as M-x eglot-code-actions does."
  (setq wanted words)
  (let ((last-nonmenu-event t)) (eglot-code-actions (point) (point) nil t)))

(defun story ()
  (load (getenv "MAXCODE_RECIPE") nil t) ; what docs/editors.md gives, word for word
  (setq eglot-sync-connect t)
  (find-file (getenv "MAXCODE_FILE"))
  (cl-assert (eq major-mode 'c++-mode))
  (apply #'eglot (eglot--guess-contact))
  (wait "the server" #'eglot-current-server)
  (search-forward "int main")
  (let ((listed (titles)))
    (cl-assert (cl-some (lambda (title) (string-prefix-p "Optimize “slow.cpp”" title)) listed) t (format "%S" listed)))

  ;; A first run, which is stopped again. Trust is asked for meanwhile.
  (advice-add 'eglot-execute-command :before (lambda (&rest _) (setq wanted "Trust this folder")))
  (choose "Optimize")
  (cl-assert (cl-some (lambda (question) (string-match-p "Trust the folder" question)) asked) t)
  (wait "the first run" (lambda () (equal (status) "running")))
  (choose "Stop MaxCode")
  (wait "its end" (lambda () (equal (status) "cancelled")))

  ;; A second one, to its end.
  (choose "Optimize")
  (wait "findings" (lambda () (flymake-start) (flymake-diagnostics)))
  (dolist (found (flymake-diagnostics)) (cl-assert (string-prefix-p "maxcode" (flymake-diagnostic-text found)) t))
  (wait "the end of the second run" (lambda () (not (equal (status) "running"))))
  (cl-assert (equal (status) "improved") t (format "%S" (latest)))
  (wait "its message" (lambda () (said-p "faster, proven")))
  (let ((hover (request :textDocument/hover (eglot--TextDocumentPositionParams))))
    (cl-assert (string-match-p "Confirmed" (plist-get (plist-get hover :contents) :value)) t))

  ;; Emacs asks before it makes the edit.
  (let ((before (buffer-string)))
    (setq asked nil)
    (choose "Apply MaxCode")
    (wait "the question" (lambda () (cl-some (lambda (question) (string-match-p "Server wants to edit" question)) asked)))
    (cl-assert (equal (buffer-string) before) t)
    (setq edits-are-welcome t)
    (choose "Apply MaxCode")
    (wait "the edit" (lambda () (not (equal (buffer-string) before)))))
  (save-buffer)
  (wait "its confirmation" (lambda () (said-p "confirmed as applied")))
  (eglot-shutdown (eglot-current-server))
  (say "story: done"))

(condition-case fault
    (story)
  (error
   (say (format "FAILED: %S" fault))
   (dolist (one (reverse told)) (say "message:" one))
   (kill-emacs 1)))
(kill-emacs 0)
